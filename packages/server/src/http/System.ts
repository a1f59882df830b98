/** What the service answers beside its contract: whether it lives and is ready, its metrics, and its documents. */
import { OpenApi } from "@tc/api"
import { Storage, Unavailable } from "@tc/store"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiScalar } from "effect/http-api"
import { PrometheusMetrics } from "effect/observability"
import { DeliverySettings } from "../DeliverySettings.ts"
import { HttpSettings } from "./HttpSettings.ts"
import { system } from "./Methods.ts"
import * as Responses from "./Responses.ts"

const well = Responses.json({ status: "ok" })

/** Milliseconds for the storage to say that it is there: whoever asks has to be told, also when it says nothing. */
const READY_MS = 2_000

const late = Effect.die(new Unavailable({ cause: new Error(`The storage said nothing for ${READY_MS} ms.`) }))

const health = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const storage = yield* Storage
    yield* router.add("GET", system.live, Effect.succeed(well))
    // A storage that does not answer is a defect, and that is a 503.
    const ready = Effect.timeoutOrElse(storage.ready, { duration: READY_MS, orElse: () => late })
    yield* router.add("GET", system.ready, Effect.as(ready, well))
  }),
)

/** Nothing on the page of documents comes from elsewhere, and nothing goes there: the browser sees to it. */
const ownOnly = HttpRouter.middleware((app) =>
  Effect.map(
    app,
    HttpServerResponse.setHeader(
      "content-security-policy",
      "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; frame-ancestors 'none'",
    ),
  ),
)

const documents = Layer.unwrap(
  Effect.gen(function* () {
    const { brand } = yield* DeliverySettings
    const { base_path } = yield* HttpSettings
    let json: string | undefined
    const openapi = Effect.sync(() => (json ??= JSON.stringify(OpenApi.document({ brand, base_path }))))
    return Layer.mergeAll(
      HttpRouter.add("GET", system.openapi, Effect.map(openapi, Responses.text)),
      HttpApiScalar.layer(OpenApi.documented({ brand, base_path }), {
        path: system.docs,
        scalar: { withDefaultFonts: false, favicon: "data:,", authentication: { preferredSecurityScheme: "bearer" } },
      }).pipe(Layer.provide(ownOnly.layer)),
    )
  }),
)

export const layer = Layer.mergeAll(health, documents, PrometheusMetrics.layerHttp({ path: system.metrics }))
