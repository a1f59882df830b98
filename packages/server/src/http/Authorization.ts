/** Who calls: finds the key of a request, checks it, and checks that it has the scope that the operation needs. */
import { Authorization, CurrentKey, Errors, Scopes } from "@tc/api"
import { ApiKey, Value } from "@tc/domain"
import { ApiKeys } from "@tc/store"
import { Clock, Effect, Layer, Redacted, Result } from "effect"
import type { HttpServerResponse } from "effect/http"
import { Incoming } from "./Incoming.ts"
import { KeyUse } from "./KeyUse.ts"
import * as Responses from "./Responses.ts"

const messages = {
  missing_api_key: "Send an API key as `Authorization: Bearer <key>` or `X-API-Key: <key>`.",
  invalid_api_key: "The API key is not valid.",
  expired_api_key: "The API key has expired.",
  revoked_api_key: "The API key has been revoked.",
} as const satisfies Record<Errors.UnauthorizedCode, string>

const refusal = (code: Errors.UnauthorizedCode) => new Errors.Unauthorized({ code, message: messages[code] })

/** Compared against when no key has the prefix, so that the time taken does not tell whether one has. */
const NOBODY = ApiKey.hash("")

/** Both schemes, over the keys of the storage. */
export const layer = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const uses = yield* KeyUse

    const find = Effect.fnUntraced(function* (key: string) {
      if (!ApiKey.isKey(key)) return yield* refusal("invalid_api_key")
      const now = Value.timestamp(yield* Clock.currentTimeMillis)
      const hash = ApiKey.hash(key)
      const candidates = yield* keys.findByPrefix(ApiKey.prefixOf(key))
      if (candidates.length === 0) ApiKey.sameHash(NOBODY, hash)
      const matching = candidates.filter((candidate) => ApiKey.sameHash(candidate.hash, hash))
      const [row] = matching
      if (row === undefined) return yield* refusal("invalid_api_key")
      const usable = ApiKey.usable(row, now)
      if (Result.isFailure(usable)) return yield* refusal(`${usable.failure}_api_key`)
      uses.note({ account_id: row.account_id, id: row.id, last_used_at: now })
      return row
    })

    /** Goes on in the name of the key. A refusal is answered here: as an error it would make the other scheme try. */
    const proceed = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>, key: string) =>
      Effect.flatMap(Incoming, (incoming) =>
        Effect.matchEffect(find(key), {
          onFailure: (error) => Effect.succeed(Responses.failure(error, incoming.id)),
          onSuccess: ({ account_id, id, scopes }) => {
            incoming.account_id = account_id
            return Effect.provideService(app, CurrentKey, { account_id, key_id: id, scopes })
          },
        }),
      )

    const missing = Effect.fail(refusal("missing_api_key"))
    /** A header that is missing arrives as an empty credential. */
    const scheme = <E, R>(
      app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
      { credential }: { readonly credential: Redacted.Redacted },
    ) => {
      const key = Redacted.value(credential)
      return key === "" ? missing : proceed(app, key)
    }
    return Authorization.of({ bearer: scheme, api_key: scheme })
  }),
)

/** The scope follows from the method. */
export const layerScopes = Layer.succeed(Scopes, (httpEffect, { endpoint }) => {
  const needed = ApiKey.scopeOf(endpoint.method)
  const refused = Effect.fail(
    new Errors.Forbidden({ message: `This API key lacks the scope \`${needed}\`, which this operation needs.` }),
  )
  const check = Effect.flatMap(CurrentKey, ({ scopes }) => (scopes.includes(needed) ? Effect.void : refused))
  return Effect.andThen(check, httpEffect)
})
