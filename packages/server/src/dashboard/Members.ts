/** The people of an account: their roles, invitations, and what they did. */
import { Dashboard } from "@tc/api"
import { Id, Invitation, Session, Value } from "@tc/domain"
import { AuditLog, Invitations, Members } from "@tc/store"
import { Clock, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { newId } from "../http/Incoming.ts"
import * as Responses from "../http/Responses.ts"
import * as Audit from "./Audit.ts"
import * as SigningIn from "./SigningIn.ts"

const members = HttpApiBuilder.group(
  Dashboard.Dashboard,
  "members",
  Effect.fnUntraced(function* (group) {
    const { get, list, remove, setRole } = yield* Members
    return group.handleAll({
      list: () =>
        Effect.flatMap(Dashboard.CurrentSession, ({ account_id }) =>
          Effect.map(list(account_id), (data) => Responses.json({ data })),
        ),
      modify: Effect.fnUntraced(function* ({ params: { id }, payload: { role } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const member = yield* setRole(account_id, id, role)
        yield* Audit.note("member.role_changed", { id, name: `${member.email}: ${role}` })
        return Responses.json(member)
      }),
      delete: Effect.fnUntraced(function* ({ params: { id } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const { email } = yield* get(account_id, id)
        yield* remove(account_id, id)
        yield* Audit.note("member.removed", { id, name: email })
        return Responses.noContent
      }),
    })
  }),
)

const invitations = HttpApiBuilder.group(
  Dashboard.Dashboard,
  "invitations",
  Effect.fnUntraced(function* (group) {
    const { create, list, revoke } = yield* Invitations
    return group.handleAll({
      list: Effect.fnUntraced(function* () {
        const { account_id } = yield* Dashboard.CurrentSession
        const now = Value.timestamp(yield* Clock.currentTimeMillis)
        return Responses.json({ data: yield* list(account_id, now) })
      }),
      create: Effect.fnUntraced(function* ({ payload: { role, email = null } }) {
        const { account_id, member } = yield* Dashboard.CurrentSession
        const millis = yield* Clock.currentTimeMillis
        const token = SigningIn.newToken()
        const made = yield* create({
          id: Id.InvitationId.id.make(newId(millis)),
          account_id,
          role,
          email,
          invited_by: member.id,
          token_hash: Session.hash(token),
          expires_at: Value.timestamp(millis + Invitation.LASTS_MS),
          created_at: Value.timestamp(millis),
        })
        yield* Audit.note("member.invited", { id: made.id, name: `${email ?? "anybody with the link"}: ${role}` })
        return Responses.json({ ...made, token }, 201)
      }),
      delete: Effect.fnUntraced(function* ({ params: { id } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        yield* revoke(account_id, id)
        yield* Audit.note("invitation.revoked", { id, name: id })
        return Responses.noContent
      }),
    })
  }),
)

const audit = HttpApiBuilder.group(Dashboard.Dashboard, "audit", (group) =>
  Effect.map(AuditLog, ({ list }) =>
    group.handleAll({
      list: ({ query }) =>
        Effect.flatMap(Dashboard.CurrentSession, ({ account_id }) =>
          Effect.map(list(account_id, query), (page) => Responses.json(page)),
        ),
    }),
  ),
)

export const layer = Layer.mergeAll(members, invitations, audit)
