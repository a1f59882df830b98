/** What signing in and signing up have in common: a session is begun, and the browser gets its cookie. */
import type { Dashboard } from "@tc/api"
import { Device, Id, type Member, Session, Value } from "@tc/domain"
import { Accounts, Members, Sessions } from "@tc/store"
import { Clock, Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { newId } from "../http/Incoming.ts"
import * as Responses from "../http/Responses.ts"
import * as Cookie from "./Cookie.ts"
import { DashboardSettings } from "./DashboardSettings.ts"

/** Random, for a cookie or a link. */
export const newToken = (): string => Session.fromBytes(crypto.getRandomValues(new Uint8Array(Session.TOKEN_BYTES)))

/** Accounts of one address that a sign-in looks into which names none. It takes a hash for each, and as many where it fails. */
const ACCOUNTS_MOST = 3

/** How many members a sign-in may be for. */
export const most = (account: string | null): number => (account === null ? ACCOUNTS_MOST : 1)

/** The members whom an address names, of any account or of the one with that name; the oldest first, and so many of them. */
export const candidates = Effect.fnUntraced(function* (email: string, account: string | null) {
  const found = yield* (yield* Members).findByEmail(email)
  if (account === null) return found.slice(0, most(account))
  const named = yield* (yield* Accounts)
    .getByName(account)
    .pipe(Effect.catchTag("NotFound", () => Effect.succeed(null)))
  return found.filter(({ account_id }) => account_id === named?.id)
})

/** Who is signed in, as the contract tells it. */
export const signedIn = Effect.fnUntraced(function* (member: Member.Member, expires_at: string) {
  const { id, name } = yield* Effect.orDie((yield* Accounts).get(member.account_id))
  return { member, account: { id, name }, expires_at } satisfies Dashboard.SignedIn
})

/** Has a browser be known in which a member has just given, or chosen, their password. */
export const remember = Effect.fnUntraced(function* (
  response: HttpServerResponse.HttpServerResponse,
  member: Device.Of,
) {
  const device = Device.make(member, newToken(), yield* Clock.currentTimeMillis)
  const request = yield* HttpServerRequest.HttpServerRequest
  return yield* Cookie.device.write(response, device, request, yield* DashboardSettings)
})

/** Begins a session of a member. Answers null where they were removed meanwhile, or have another password. */
export const begin = Effect.fnUntraced(function* (member: Member.Member, password_hash: string) {
  const token = newToken()
  const millis = yield* Clock.currentTimeMillis
  const now = Value.timestamp(millis)
  const session: Session.Session = {
    id: Id.SessionId.id.make(newId(millis)),
    account_id: member.account_id,
    member_id: member.id,
    token_hash: Session.hash(token),
    last_seen_at: now,
    created_at: now,
  }
  const isKept = yield* (yield* Sessions).create(session, password_hash)
  if (!isKept) return null
  const body = yield* signedIn({ ...member, last_seen_at: now }, Session.endsAt(session))
  const request = yield* HttpServerRequest.HttpServerRequest
  const response = yield* Cookie.session.write(Responses.json(body, 201), token, request, yield* DashboardSettings)
  return yield* remember(response, { email: member.email, password_hash })
})
