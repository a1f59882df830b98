/** A new API key: as its owner sees it, this once, and as it is kept. */
import { ApiKey, Errors, Id, Value } from "@tc/domain"
import { Result } from "effect"

/** What a person says of a new key. */
export interface Request {
  readonly account_id: Id.AccountId
  readonly name: string
  readonly scopes: ReadonlyArray<ApiKey.Scope>
  readonly expires_at: string | null
}

/** Refuses a key that would have ended before it is made. */
export const inFuture = (expires_at: string | null, millis: number): Result.Result<void, Errors.Invalid> =>
  expires_at === null || Date.parse(expires_at) > millis
    ? Result.void
    : Result.fail(Errors.invalid([{ path: "/expires_at", message: "lies in the past" }]))

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
