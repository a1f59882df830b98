/** A new API key: as its owner sees it, this once, and as it is kept. */
import { ApiKey, Id, Value } from "@tc/domain"

/** What a person says of a new key. */
export interface Request {
  readonly account_id: Id.AccountId
  readonly name: string
  readonly scopes: ReadonlyArray<ApiKey.Scope>
  readonly expires_at: string | null
}

/** A key made at `millis`, at random unless it is given. */
export const make = (
  request: Request,
  millis: number,
  key: string = ApiKey.fromBytes(crypto.getRandomValues(new Uint8Array(ApiKey.KEY_BYTES))),
): { readonly key: string; readonly row: ApiKey.Row } => ({
  key,
  row: {
    ...request,
    id: Id.ApiKeyId.id.make(Id.uuidV7(millis, crypto.getRandomValues(new Uint8Array(10)))),
    prefix: ApiKey.prefixOf(key),
    hash: ApiKey.hash(key),
    revoked_at: null,
    last_used_at: null,
    created_at: Value.timestamp(millis),
  },
})
