/** What tests of API keys start from. */
import { ApiKey, Id } from "@tc/domain"
import { Effect, Struct } from "effect"
import { ApiKeys } from "../ApiKeys.ts"

/** A key of an account, as it is to be kept; no other test has its hash. */
export const row = (account_id: Id.AccountId, fields: Partial<ApiKey.Row> = {}): ApiKey.Row => {
  const key = ApiKey.fromBytes(crypto.getRandomValues(new Uint8Array(ApiKey.KEY_BYTES)))
  return {
    id: Id.ApiKeyId.id.make(crypto.randomUUID()),
    account_id,
    name: "Storefront",
    prefix: ApiKey.prefixOf(key),
    scopes: ["read", "write"],
    expires_at: "2027-01-01T00:00:00.000Z",
    revoked_at: null,
    last_used_at: null,
    created_at: "2026-11-01T12:00:00.000Z",
    hash: ApiKey.hash(key),
    ...fields,
  }
}

/** The same as it is shown. */
export const shown = (key: ApiKey.Row): ApiKey.ApiKey => Struct.omit(key, ["hash"])

/** All keys of an account that has no more than one page of them. */
export const all = (account_id: Id.AccountId) =>
  Effect.flatMap(ApiKeys, ({ list }) => Effect.map(list(account_id, { page: 1, per_page: 100 }), ({ data }) => data))
