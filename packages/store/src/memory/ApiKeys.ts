/** API keys in memory. */
import { ApiKey, Errors, type Id, Limits, Value } from "@tc/domain"
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
    const get = (account_id: Id.AccountId, id: string) =>
      Result.fromNullishOr(find(account_id, id), () => Errors.notFound("api_key", id))
    /** Keeps a key, unless there is one with its hash. Part of a step. */
    const add = (key: ApiKey.Row, now: string): Result.Result<ApiKey.ApiKey, Errors.Conflict> => {
      const all = where(({ account_id }) => account_id === key.account_id)
      const same = all.find(({ hash }) => hash === key.hash)
      if (same !== undefined) return Result.succeed(show(same))
      const active = all.filter((one) => Result.isSuccess(ApiKey.usable(one, now)))
      if (active.length >= Limits.API_KEYS_MAX) return Result.fail(Refusals.tooManyApiKeys())
      keep(copy(key))
      return Result.succeed(show(key))
    }
    return Service.ApiKeys.of({
      create: (key) => step((millis) => add(key, Value.timestamp(millis))),
      findByPrefix: (prefix) => step(() => Result.succeed(where((key) => key.prefix === prefix))),
      get: (account_id, id) => step(() => Result.map(get(account_id, id), show)),
      list: (account_id, request) =>
        step(() => {
          const all = where((key) => key.account_id === account_id).toSorted(Query.newestFirst)
          return Result.succeed(Query.page(request, all.map(show)))
        }),
      revoke: (account_id, id) =>
        step((millis) =>
          Result.map(get(account_id, id), (key) => {
            const revoked = { ...key, revoked_at: key.revoked_at ?? Value.timestamp(millis) }
            keep(revoked)
            return show(revoked)
          }),
        ),
      replace: (account_id, id, by, until) =>
        step((millis) =>
          Result.gen(function* () {
            const now = Value.timestamp(millis)
            const key = yield* get(account_id, id)
            yield* Result.mapError(ApiKey.usable(key, now), Refusals.keyNotActive)
            const ends = {
              ...key,
              expires_at: key.expires_at !== null && key.expires_at < until ? key.expires_at : until,
            }
            keep(ends)
            const added = add({ ...by, account_id }, now)
            if (Result.isFailure(added)) keep(key)
            return yield* added
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
