/** Who calls: finds the key of a request, checks it, and checks that it has the scope that the operation needs. */
import { Authorization, CurrentKey, Errors, Scopes } from "@tc/api"
import { ApiKey, Value } from "@tc/domain"
import { ApiKeys } from "@tc/store"
import { Clock, Effect, Layer, Redacted, Result } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Incoming } from "./Incoming.ts"
import * as KeyUse from "./KeyUse.ts"
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

type Caller = CurrentKey["Service"]
type App<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Goes on in the caller's name. A refusal is answered here: as an error it would make the other scheme try. */
const proceed = <E, R, RC>(app: App<E, R>, caller: Effect.Effect<Caller, Errors.Unauthorized, RC>) =>
  Effect.flatMap(Incoming, (incoming) =>
    Effect.matchEffect(caller, {
      onFailure: (error) => Effect.succeed(Responses.failure(error, incoming.id)),
      onSuccess: (caller) => {
        incoming.account_id = caller.account_id
        return Effect.provideService(app, CurrentKey, caller)
      },
    }),
  )

/**
 * Authentication of a program's own, such as by the session in a cookie: `identify` says in whose name a request comes and
 * what it may do there, or fails with `Unauthorized`. `key_id` may be the id of whatever stands for the key.
 */
export const layerOf = <R>(
  identify: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Caller, Errors.Unauthorized, R>,
): Layer.Layer<Authorization, never, R> =>
  Layer.effect(
    Authorization,
    Effect.map(Effect.context<R>(), (context) => {
      const caller = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        Effect.provideContext(identify(request), context),
      )
      const scheme = <E, R>(app: App<E, R>) => proceed(app, caller)
      return Authorization.of({ bearer: scheme, api_key: scheme })
    }),
  )

/** API keys in both schemes, over the keys of the storage. */
export const layer = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const uses = yield* KeyUse.KeyUse

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
      const { account_id, id, scopes } = row
      uses.note({ account_id, id, last_used_at: now })
      return { account_id, key_id: id, scopes }
    })

    const missing = Effect.fail(refusal("missing_api_key"))
    /** A header that is missing arrives as an empty credential. */
    const scheme = <E, R>(app: App<E, R>, { credential }: { readonly credential: Redacted.Redacted }) => {
      const key = Redacted.value(credential)
      return key === "" ? missing : proceed(app, find(key))
    }
    return Authorization.of({ bearer: scheme, api_key: scheme })
  }),
).pipe(Layer.provide(KeyUse.layer))

/** The scope follows from the method. */
export const layerScopes = Layer.succeed(Scopes, (httpEffect, { endpoint }) => {
  const needed = ApiKey.scopeOf(endpoint.method)
  const refused = Effect.fail(
    new Errors.Forbidden({ message: `This API key lacks the scope \`${needed}\`, which this operation needs.` }),
  )
  const check = Effect.flatMap(CurrentKey, ({ scopes }) => (scopes.includes(needed) ? Effect.void : refused))
  return Effect.andThen(check, httpEffect)
})
