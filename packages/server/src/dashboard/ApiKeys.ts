/** API keys: created, rotated and revoked by people. */
import { Dashboard } from "@tc/api"
import { Value } from "@tc/domain"
import { ApiKeys } from "@tc/store"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Responses from "../http/Responses.ts"
import * as NewKey from "../NewKey.ts"
import * as Audit from "./Audit.ts"

const inFuture = (expires_at: string | null) =>
  Effect.flatMap(Clock.currentTimeMillis, (millis) => Effect.fromResult(NewKey.inFuture(expires_at, millis)))

export const layer = HttpApiBuilder.group(
  Dashboard.Dashboard,
  "api_keys",
  Effect.fnUntraced(function* (group) {
    const keys = yield* ApiKeys
    return group.handleAll({
      list: ({ query }) =>
        Effect.flatMap(Dashboard.CurrentSession, ({ account_id }) =>
          Effect.map(keys.list(account_id, query), (page) => Responses.json(page)),
        ),
      create: Effect.fnUntraced(function* ({ payload: { name, scopes, expires_at = null } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        yield* inFuture(expires_at)
        const { key, row } = NewKey.make(
          { account_id, name, scopes: [...new Set(scopes)], expires_at },
          yield* Clock.currentTimeMillis,
        )
        const kept = yield* Audit.changed("api_key.created", keys.create(row), ({ id }) => ({ id, name }))
        return Responses.json({ ...kept, key }, 201)
      }),
      rotate: Effect.fnUntraced(function* ({ params: { id }, payload: { overlap_seconds, expires_at = null } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        yield* inFuture(expires_at)
        const { name, scopes } = yield* keys.get(account_id, id)
        const millis = yield* Clock.currentTimeMillis
        const { key, row } = NewKey.make({ account_id, name, scopes, expires_at }, millis)
        const replace = keys.replace(account_id, id, row, Value.timestamp(millis + overlap_seconds * 1_000))
        const kept = yield* Audit.changed("api_key.rotated", replace, () => ({ id, name }))
        return Responses.json({ ...kept, key }, 201)
      }),
      revoke: Effect.fnUntraced(function* ({ params: { id } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const revoke = keys.revoke(account_id, id)
        return Responses.json(yield* Audit.changed("api_key.revoked", revoke, ({ name }) => ({ id, name })))
      }),
    })
  }),
)
