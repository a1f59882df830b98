/** What a first start needs: the account `default`, and a key to begin with. */
import { Account, ApiKey, type Errors, type Id, Value } from "@tc/domain"
import { Accounts, ApiKeys } from "@tc/store"
import { Clock, Effect, Result, Schedule } from "effect"
import * as NewKey from "./NewKey.ts"

/** Whoever made the account may have ended before its key was made. */
const patience = Schedule.spaced("100 millis").pipe(Schedule.upTo({ duration: "2 seconds" }))

const scopes: ReadonlyArray<ApiKey.Scope> = ["read", "write", "delete"]

/** Keeps a new key and answers it with the key itself, which nobody can see again. */
export const createKey = Effect.fnUntraced(function* (
  request: NewKey.Request,
  given?: string,
): Effect.fn.Return<ApiKey.ApiKey & { readonly key: string }, Errors.Conflict, ApiKeys> {
  const { key, row } = NewKey.make(request, yield* Clock.currentTimeMillis, given)
  const kept = yield* (yield* ApiKeys).create(row)
  return { ...kept, key }
})

/** What a start has made sure of. */
export interface Started {
  readonly account_id: Id.AccountId
  /** A key that was made here, to be shown this once; null where there was no need of one. */
  readonly key: string | null
}

/**
 * Makes sure that the account `default` can be used: `bootstrap`, a key of the operator's, is kept for it, with a warning
 * where that key has ended; without one, an account that has no key yet gets one. Of several processes that start at once,
 * one makes it.
 */
export const run = (bootstrap: string | null) => (bootstrap === null ? first : given(bootstrap))

const request = { name: "bootstrap", scopes, expires_at: null }

/** One key, to see whether there is any. */
const any = { page: 1, per_page: 1 }

const endings: Record<ApiKey.Refusal, string> = { revoked: "was revoked", expired: "has expired" }

const given = Effect.fnUntraced(function* (key: string) {
  const { id: account_id } = yield* (yield* Accounts).ensure(Account.DEFAULT_NAME)
  const kept = yield* Effect.catchTag(createKey({ ...request, account_id }, key), "Conflict", ({ message }) =>
    Effect.as(Effect.logWarning(`The bootstrap API key is not kept: ${message}`), null),
  )
  if (kept === null) return { account_id, key: null } satisfies Started
  const usable = ApiKey.usable(kept, Value.timestamp(yield* Clock.currentTimeMillis))
  if (Result.isFailure(usable)) {
    yield* Effect.logWarning(`The bootstrap API key ${endings[usable.failure]}, and stays so: choose another.`)
  }
  return { account_id, key: null } satisfies Started
})

const begin = (account_id: Id.AccountId) =>
  Effect.map(
    // It is the first.
    Effect.orDie(createKey({ ...request, account_id, name: "first start" })),
    ({ key }): Started => ({ account_id, key }),
  )

/** Whoever makes the account makes its first key: an account is made once. The others wait for that key. */
const first = Effect.gen(function* () {
  const accounts = yield* Accounts
  const { list } = yield* ApiKeys
  const created = yield* Effect.result(accounts.create(Account.DEFAULT_NAME))
  if (Result.isSuccess(created)) return yield* begin(created.success.id)
  const { id: account_id } = yield* accounts.ensure(Account.DEFAULT_NAME)
  const { total } = yield* Effect.map(list(account_id, any), ({ meta }) => meta).pipe(
    Effect.repeat({ until: ({ total }) => total > 0, schedule: patience }),
  )
  return total > 0 ? { account_id, key: null } : yield* begin(account_id)
})
