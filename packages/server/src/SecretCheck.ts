/** Says at the start, and not with the first delivery, that signing secrets were stored under another key. */
import { type Id, SigningSecrets } from "@tc/domain"
import { WebhookEndpoints } from "@tc/store"
import { Effect } from "effect"
import { SecretBox } from "./SecretBox.ts"

/** Reads the secret of an account's newest endpoint. The server starts all the same: other endpoints may be readable. */
export const run = Effect.fnUntraced(function* (account_id: Id.AccountId) {
  const endpoints = yield* WebhookEndpoints
  const box = yield* SecretBox
  const { data } = yield* Effect.orDie(endpoints.list(account_id, { page: 1, per_page: 1 }))
  for (const { id, secret } of data) {
    yield* box
      .decrypt(SigningSecrets.present(secret), { account_id, endpoint_id: id })
      .pipe(
        Effect.catchDefect(() =>
          Effect.logError(
            `The secret of endpoint ${id} cannot be decrypted: TC_SECRET_KEY is not the key that it was stored under. Nothing can be sent to such endpoints.`,
          ),
        ),
      )
  }
})
