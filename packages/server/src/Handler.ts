/** The whole API as one function from `Request` to `Response`, for programs that do not use Effect. */
import type { Authorization as Middleware } from "@tc/api"
import { type Effect, Layer, ManagedRuntime } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import * as Authorization from "./http/Authorization.ts"
import * as Http from "./http/Http.ts"
import type { Service } from "./Service.ts"

export interface Handler {
  /** Answers a request. Never rejects, once the layer has been built. */
  readonly handler: (request: Request) => Promise<Response>
  /** Runs an effect over the same services, such as a repository's. Rejects with its failure. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, Service>) => Promise<A>
  /** Ends the handlers, then all that the layer started. */
  readonly dispose: () => Promise<void>
}

export interface Options<E> {
  /** Who calls. Default: `Authorization.layer`, the API keys of the storage. `Authorization.layerOf` makes another. */
  readonly authorization?: Layer.Layer<Middleware, E, Service>
}

/** A handler over the services of `layer`, which `Service.layer` makes. */
export const make = <E, EA = never>(layer: Layer.Layer<Service, E>, options: Options<EA> = {}): Handler => {
  const services = ManagedRuntime.make(layer)
  const { authorization = Authorization.layer } = options
  const { handler, dispose } = HttpRouter.toWebHandler(
    // Merged, so that loggers, tracers and other references in the layer reach every request.
    Http.layerNoAuthorization.pipe(
      Layer.provide(authorization),
      Layer.provideMerge(Layer.effectContext(services.contextEffect)),
      Layer.provide(HttpServer.layerServices),
    ),
    { disableLogger: true },
  )
  return {
    handler: (request) => handler(request),
    run: (effect) => services.runPromise(effect),
    dispose: () => dispose().then(services.dispose),
  }
}
