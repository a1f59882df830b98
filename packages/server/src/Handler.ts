/** The whole API as one function from `Request` to `Response`, for programs that do not use Effect. */
import { Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import type { Services } from "@tc/store"
import type { Attempts } from "./Attempts.ts"
import * as Http from "./http/Http.ts"
import type { SecretBox } from "./SecretBox.ts"

export interface Handler {
  /** Answers a request. Never rejects, once the layer has been built. */
  readonly handler: (request: Request) => Promise<Response>
  /** Ends all that the layer started. */
  readonly dispose: () => Promise<void>
}

/**
 * A handler over the services of `layer`.
 *
 * @example
 * const { handler, dispose } = Handler.make(Layer.mergeAll(layerMemory, SecretBox.layer(key), attempts))
 * const response = await handler(new Request("http://localhost/api/v1/products", { headers: { "x-api-key": key } }))
 */
export const make = <E>(layer: Layer.Layer<Services | SecretBox | Attempts, E>): Handler => {
  const { handler, dispose } = HttpRouter.toWebHandler(
    // Merged, so that loggers, tracers and other references in the layer reach every request.
    Http.layer.pipe(Layer.provideMerge(layer), Layer.provide(HttpServer.layerServices)),
    { disableLogger: true },
  )
  return { handler: (request) => handler(request), dispose }
}
