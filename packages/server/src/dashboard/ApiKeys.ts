/** API keys: created, rotated and revoked by people. */
import { Dashboard } from "@tc/api"
import { Errors, Value } from "@tc/domain"
import { ApiKeys } from "@tc/store"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Responses from "../http/Responses.ts"
import * as NewKey from "../NewKey.ts"
import * as Audit from "./Audit.ts"

const inFuture = Effect.fnUntraced(function* (expires_at: string | null) {
  if (expires_at === null || expires_at > Value.timestamp(yield* Clock.currentTimeMillis)) return
  return yield* Errors.invalid([{ path: "/expires_at", message: "lies in the past" }])
})

export const layer = HttpApiBuilder.group(
  Dashboard.Dashboard,
  "api_keys",
  Effect.fnUntraced(function* (group) {
    const keys = yield* ApiKeys
    return group.handleAll({
      list: () =>
        Effect.flatMap(Dashboard.CurrentSession, ({ account_id }) =>
          Effect.map(keys.list(account_id), (data) => Responses.json({ data })),
        ),
      create: Effect.fnUntraced(function* ({ payload: { name, scopes, expires_at = null } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        yield* inFuture(expires_at)
        const { key, row } = NewKey.make(
          { account_id, name, scopes: [...new Set(scopes)], expires_at },
          yield* Clock.currentTimeMillis,
        )
        const kept = yield* keys.create(row)
        yield* Audit.note("api_key.created", { id: kept.id, name })
        return Responses.json({ ...kept, key }, 201)
      }),
      rotate: Effect.fnUntraced(function* ({ params: { id }, payload: { overlap_seconds, expires_at = null } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        yield* inFuture(expires_at)
        const old = (yield* keys.list(account_id)).find((one) => one.id === id)
        if (old === undefined) return yield* Errors.notFound("api_key", id)
        const millis = yield* Clock.currentTimeMillis
        const { name, scopes } = old
        const { key, row } = NewKey.make({ account_id, name, scopes, expires_at }, millis)
        const kept = yield* keys.replace(account_id, id, row, Value.timestamp(millis + overlap_seconds * 1_000))
        yield* Audit.note("api_key.rotated", { id, name })
        return Responses.json({ ...kept, key }, 201)
      }),
      revoke: Effect.fnUntraced(function* ({ params: { id } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const revoked = yield* keys.revoke(account_id, id)
        yield* Audit.note("api_key.revoked", { id, name: revoked.name })
        return Responses.json(revoked)
      }),
    })
  }),
)
