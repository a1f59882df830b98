/** API keys, by what is kept of them: prefix and hash, never the key. */
import type { ApiKey, Errors, Id, Page } from "@tc/domain"
import { Context, type Effect } from "effect"

/** When a key was last used. */
export interface Use {
  readonly account_id: Id.AccountId
  readonly id: string
  readonly last_used_at: string
}

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /**
     * Keeps a key. One with the same hash is kept once; answers the one that is kept. Fails with `Conflict` `too_many_api_keys`
     * where as many of the account as it may have can be used, however many are made at once.
     */
    readonly create: (key: ApiKey.Row) => Effect.Effect<ApiKey.ApiKey, Errors.Conflict>
    /** All keys with a prefix, of any account: at random there is at most one. */
    readonly findByPrefix: (prefix: string) => Effect.Effect<ReadonlyArray<ApiKey.Row>>
    readonly get: (account_id: Id.AccountId, id: string) => Effect.Effect<ApiKey.ApiKey, Errors.NotFound>
    /** Newest first, revoked ones included. */
    readonly list: (account_id: Id.AccountId, request: Page.Request) => Effect.Effect<Page.Page<ApiKey.ApiKey>>
    /** Ends a key for good. A second time it changes nothing. */
    readonly revoke: (account_id: Id.AccountId, id: string) => Effect.Effect<ApiKey.ApiKey, Errors.NotFound>
    /**
     * Keeps the key that takes the place of another, which ends at `until` unless it ends sooner, in one step. Fails with
     * `Conflict` `key_not_active` when that is revoked or has expired, and as `create` where too many could be used then.
     */
    readonly replace: (
      account_id: Id.AccountId,
      id: string,
      by: ApiKey.Row,
      until: string,
    ) => Effect.Effect<ApiKey.ApiKey, Errors.NotFound | Errors.Conflict>
    /** Records the latest use of many keys at once; an older time than the one kept changes nothing. */
    readonly touch: (uses: ReadonlyArray<Use>) => Effect.Effect<void>
  }
>()("@tc/store/ApiKeys") {}
