/** What a first start needs: the account `default`, and a key to begin with. */
import { Account, ApiKey, Id } from "@tc/domain"
import { Accounts, ApiKeys } from "@tc/store"
import { Clock, Effect } from "effect"

const scopes: ReadonlyArray<ApiKey.Scope> = ["read", "write", "delete"]

/** What a person says of a new key. */
export interface NewKey {
  readonly account_id: Id.AccountId
  readonly name: string
  readonly scopes: ReadonlyArray<ApiKey.Scope>
  readonly expires_at: string | null
}

/** Keeps a key and answers it with the key itself, which nobody can see again. */
export const createKey = Effect.fnUntraced(function* (
  request: NewKey,
  key: string = ApiKey.fromBytes(crypto.getRandomValues(new Uint8Array(ApiKey.KEY_BYTES))),
) {
  const keys = yield* ApiKeys
  const millis = yield* Clock.currentTimeMillis
  const kept = yield* keys.create({
    ...request,
    id: Id.ApiKeyId.id.make(Id.uuidV7(millis, crypto.getRandomValues(new Uint8Array(10)))),
    prefix: ApiKey.prefixOf(key),
    hash: ApiKey.hash(key),
    revoked_at: null,
    last_used_at: null,
    created_at: new Date(millis).toISOString(),
  })
  return { ...kept, key }
})

/**
 * Makes sure that the account `default` can be used: `bootstrap`, a key of the operator's, is kept for it; without one, an
 * account that has no key yet gets one. Answers the account, and a key
 * that was made here, to be shown this once, or null.
 */
export const run = Effect.fnUntraced(function* (bootstrap: string | null) {
  const { id: account_id } = yield* (yield* Accounts).ensure(Account.DEFAULT_NAME)
  const request = { account_id, name: "bootstrap", scopes, expires_at: null }
  if (bootstrap !== null) {
    yield* createKey(request, bootstrap)
    return { account_id, key: null }
  }
  const known = yield* (yield* ApiKeys).list(account_id)
  const made = known.length > 0 ? null : yield* createKey({ ...request, name: "first start" })
  return { account_id, key: made?.key ?? null }
})
