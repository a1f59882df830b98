/** API keys in memory. */
import { ApiKey, Errors, Value } from "@tc/domain"
import { Effect, Layer, Result, Struct } from "effect"
import * as Service from "../ApiKeys.ts"
import * as Refusals from "../Refusals.ts"
import { copy } from "./Copy.ts"
import { keyOf, Memory } from "./Memory.ts"
import * as Query from "./Query.ts"

const show = (key: ApiKey.Row): ApiKey.ApiKey => Struct.omit(key, ["hash"])

export const layer = Layer.effect(
  Service.ApiKeys,
  Effect.map(Memory, (memory) => {
    const { keys, step } = memory
    const where = (test: (key: ApiKey.Row) => boolean) => [...keys.values()].filter(test)
    const find = (account_id: string, id: string) => keys.get(keyOf(account_id, id))
    const keep = (key: ApiKey.Row) => keys.set(keyOf(key.account_id, key.id), key)
    /** Keeps a key, unless there is one with its hash. Part of a step. */
    const add = (key: ApiKey.Row): ApiKey.ApiKey => {
      const [same] = where(({ account_id, hash }) => account_id === key.account_id && hash === key.hash)
      if (same === undefined) keep(copy(key))
      return show(same ?? key)
    }
    return Service.ApiKeys.of({
      create: (key) => step(() => Result.succeed(add(key))),
      findByPrefix: (prefix) => step(() => Result.succeed(where((key) => key.prefix === prefix))),
      list: (account_id) =>
        step(() =>
          Result.succeed(
            where((key) => key.account_id === account_id)
              .toSorted(Query.newestFirst)
              .map(show),
          ),
        ),
      revoke: (account_id, id) =>
        step((millis) => {
          const key = find(account_id, id)
          if (key === undefined) return Result.fail(Errors.notFound("api_key", id))
          const revoked = { ...key, revoked_at: key.revoked_at ?? Value.timestamp(millis) }
          keep(revoked)
          return Result.succeed(show(revoked))
        }),
      replace: (account_id, id, by, until) =>
        step((millis) =>
          Result.gen(function* () {
            const key = yield* Result.fromNullishOr(find(account_id, id), () => Errors.notFound("api_key", id))
            yield* Result.mapError(ApiKey.usable(key, Value.timestamp(millis)), Refusals.keyNotActive)
            if (key.expires_at === null || key.expires_at > until) keep({ ...key, expires_at: until })
            return add({ ...by, account_id })
          }),
        ),
      touch: (uses) =>
        step(() => {
          for (const { account_id, id, last_used_at } of uses) {
            const key = find(account_id, id)
            if (key !== undefined && (key.last_used_at ?? "") < last_used_at) keep({ ...key, last_used_at })
          }
          return Result.void
        }),
    })
  }),
)
