/** What signing in and signing up have in common: a session is begun, and the browser gets its cookie. */
import type { Dashboard } from "@tc/api"
import { Id, type Member, Session, Value } from "@tc/domain"
import { Accounts, Sessions } from "@tc/store"
import { Clock, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { newId } from "../http/Incoming.ts"
import * as Responses from "../http/Responses.ts"
import * as Cookie from "./Cookie.ts"
import { DashboardSettings } from "./DashboardSettings.ts"

/** Random, for a cookie or a link. */
export const newToken = (): string => Session.fromBytes(crypto.getRandomValues(new Uint8Array(Session.TOKEN_BYTES)))

/** Who is signed in, as the contract tells it. */
export const signedIn = Effect.fnUntraced(function* (member: Member.Member, expires_at: string) {
  const { id, name } = yield* Effect.orDie((yield* Accounts).get(member.account_id))
  return { member, account: { id, name }, expires_at } satisfies Dashboard.SignedIn
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
  return yield* Cookie.write(Responses.json(body, 201), token, request, yield* DashboardSettings)
})
