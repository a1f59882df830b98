/** Who uses the dashboard: requests of our own pages only, with a session that is open, of a member whose role is enough. */
import { Dashboard, Errors } from "@tc/api"
import { Member, Session, Value } from "@tc/domain"
import { Sessions } from "@tc/store"
import { Clock, Context, Effect, Layer } from "effect"
import { HttpMethod, HttpServerRequest } from "effect/http"
import { Incoming } from "../http/Incoming.ts"
import * as Caller from "./Caller.ts"
import * as Cookie from "./Cookie.ts"
import { DashboardSettings } from "./DashboardSettings.ts"

/** Milliseconds within which a session that is used again is not written again. */
const SEEN_MS = 60_000

const crossOrigin = new Errors.NotAllowed({
  code: "cross_origin",
  message: "This can only be asked for by a page of this service: the `Origin` of the request is another one.",
})

const layerSameOrigin = Layer.effect(
  Dashboard.SameOrigin,
  Effect.map(DashboardSettings, (settings) => (app, { endpoint }) => {
    const check = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      endpoint.method === "GET" || Caller.isSameOrigin(request, settings) ? Effect.void : Effect.fail(crossOrigin),
    )
    return Effect.andThen(check, app)
  }),
)

const notSignedIn = new Errors.NotSignedIn({
  code: "not_signed_in",
  message: "Sign in first: there is no session, or it has ended.",
})

const layerAuthentication = Layer.effect(
  Dashboard.Authentication,
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const settings = yield* DashboardSettings

    const find = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const token = Cookie.session.read(request, settings)
      const found = token === undefined ? null : yield* sessions.find(Session.hash(token))
      const millis = yield* Clock.currentTimeMillis
      const now = Value.timestamp(millis)
      if (found === null || !Session.isOpen(found.session, now)) return yield* notSignedIn
      const { session, member } = found
      const { account_id, id, last_seen_at } = session
      const isStale = millis - Date.parse(last_seen_at) >= SEEN_MS
      if (isStale) yield* sessions.touch({ account_id, id, last_seen_at: now })
      const expires_at = Session.endsAt(isStale ? { ...session, last_seen_at: now } : session)
      return { session_id: id, account_id, member, expires_at }
    })

    return (app) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        // Whoever holds back the end of a body would be let in as what they were when it began.
        if (HttpMethod.hasBody(request.method)) yield* Effect.ignore(request.text)
        const session = yield* find(request)
        const incoming = yield* Incoming
        incoming.account_id = session.account_id
        return yield* Effect.provideService(app, Dashboard.CurrentSession, session)
      })
  }),
)

/** Refuses whose role is not enough. */
export const insufficient = (needed: Member.Role) =>
  new Errors.NotAllowed({
    code: "insufficient_role",
    message: `This needs the role \`${needed}\`: ask an owner of the account.`,
  })

const layerRoles = Layer.succeed(Dashboard.Roles, (app, { endpoint }) => {
  const said = Context.get(endpoint.annotations, Dashboard.Needs)
  const needed = said ?? (endpoint.method === "GET" ? "viewer" : "developer")
  const check = Effect.flatMap(Dashboard.CurrentSession, ({ member }) =>
    Member.may(member.role, needed) ? Effect.void : Effect.fail(insufficient(needed)),
  )
  // What has begun comes to its end, and is noted, also where nobody waits for the answer any more.
  return Effect.andThen(check, endpoint.method === "GET" ? app : Effect.uninterruptible(app))
})

/** All that the contract of the dashboard asks of a request. */
export const layer = Layer.mergeAll(layerSameOrigin, layerAuthentication, layerRoles)
