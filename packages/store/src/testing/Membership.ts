/** What tests of the people of an account start from: a member, with a session, and an invitation. */
import { Id, type Invitation, type Member, type Session } from "@tc/domain"
import { Effect, Struct } from "effect"
import { Invitations } from "../Invitations.ts"
import { Members } from "../Members.ts"
import { Sessions } from "../Sessions.ts"
import * as Fixture from "./Fixture.ts"

/** A minute of an hour in the past. */
export const at = (minute: number): string => `2026-11-01T12:${String(minute).padStart(2, "0")}:00.000Z`

/** A time to come. */
export const LATE = "2099-01-01T00:00:00.000Z"

export const newMemberId = (): Id.MemberId => Id.MemberId.id.make(crypto.randomUUID())
export const newSessionId = (): Id.SessionId => Id.SessionId.id.make(crypto.randomUUID())

/** An address that no other test has. */
export const newEmail = (): string => `${Fixture.unique("ada")}@example.com`

/** A member as they are to be kept, an owner. */
export const row = (account_id: Id.AccountId, fields: Partial<Member.Row> = {}): Member.Row => ({
  id: newMemberId(),
  account_id,
  email: newEmail(),
  name: "Ada",
  role: "owner",
  last_seen_at: null,
  created_at: at(0),
  updated_at: at(0),
  password_hash: Fixture.unique("hash"),
  ...fields,
})

export const shown = (member: Member.Row): Member.Member => Struct.omit(member, ["password_hash"])

/** A member of an account, who is kept. */
export const member = (account_id: Id.AccountId, fields: Partial<Member.Row> = {}) =>
  Effect.gen(function* () {
    const member = row(account_id, fields)
    yield* Effect.orDie((yield* Members).create(member))
    return member
  })

/** A session of a member as it is to be kept; no other test has its token. */
export const sessionOf = (
  { account_id, id: member_id }: Member.Row,
  fields: Partial<Session.Session> = {},
): Session.Session => ({
  id: newSessionId(),
  account_id,
  member_id,
  token_hash: Fixture.unique("token"),
  last_seen_at: at(0),
  created_at: at(0),
  ...fields,
})

/** A session of a member, who must be there. */
export const session = (member: Member.Row, fields: Partial<Session.Session> = {}) =>
  Effect.gen(function* () {
    const session = sessionOf(member, fields)
    if (!(yield* (yield* Sessions).create(session, member.password_hash)))
      return yield* Effect.die("the member is not there")
    return session
  })

/** Which of these sessions have not ended. */
export const open = (sessions: ReadonlyArray<Session.Session>) =>
  Effect.gen(function* () {
    const { find } = yield* Sessions
    const found = yield* Effect.forEach(sessions, ({ token_hash }) => find(token_hash))
    return sessions.filter((_, nth) => found[nth] !== null)
  })

/** An invitation by an owner as it is to be kept, which can be accepted; no other test has its token. */
export const invitationOf = (account_id: Id.AccountId, fields: Partial<Invitation.Row> = {}): Invitation.Row => ({
  id: Id.InvitationId.id.make(crypto.randomUUID()),
  account_id,
  role: "developer",
  email: null,
  invited_by: newMemberId(),
  expires_at: LATE,
  created_at: at(0),
  token_hash: Fixture.unique("token"),
  ...fields,
})

/** The same, kept. */
export const invitation = (account_id: Id.AccountId, fields: Partial<Invitation.Row> = {}) =>
  Effect.gen(function* () {
    const invitation = invitationOf(account_id, fields)
    yield* Effect.orDie((yield* Invitations).create(invitation))
    return invitation
  })

/** Somebody who accepts one, but for what that gives them. */
export const guest = (): Omit<Member.Row, "account_id" | "role"> => ({
  id: newMemberId(),
  email: newEmail(),
  name: "Bob",
  last_seen_at: null,
  created_at: at(1),
  updated_at: at(1),
  password_hash: Fixture.unique("hash"),
})
