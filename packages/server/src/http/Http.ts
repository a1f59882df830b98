/** All routes of the service as one layer, for any server that Effect has, or none. */
import { Api } from "@tc/api"
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Authorization from "./Authorization.ts"
import * as Deliveries from "./Deliveries.ts"
import * as Designs from "./Designs.ts"
import * as Edge from "./Edge.ts"
import * as Failures from "./Failures.ts"
import * as Plain from "./Plain.ts"
import * as PrintAreas from "./PrintAreas.ts"
import * as Recoveries from "./Recoveries.ts"
import * as System from "./System.ts"
import * as WebhookEndpoints from "./WebhookEndpoints.ts"

const handlers = Layer.mergeAll(
  Plain.layer,
  PrintAreas.layer,
  Designs.layer,
  WebhookEndpoints.layer,
  Deliveries.layer,
  Recoveries.layer,
)

/**
 * Every route, without a way to tell who calls: it needs the middleware `Authorization` of @tc/api, beside the services of a
 * storage, a `SecretBox` and `Attempts`; `DeliverySettings` and `HttpSettings` have defaults. Serve it with
 * `HttpRouter.serve(layer, { disableLogger: true })`: it writes its own log.
 */
export const layerNoAuthorization = HttpApiBuilder.layer(Api).pipe(
  Layer.provide(handlers),
  Layer.provide(Layer.merge(Authorization.layerScopes, Failures.layer)),
  Layer.merge(System.layer),
  Layer.provide(Edge.layer),
)

/** Every route, for callers with an API key of the storage. */
export const layer = layerNoAuthorization.pipe(Layer.provide(Authorization.layer))

/** Health, metrics and documents alone, for a process that only delivers. */
export const layerSystem = System.layer.pipe(Layer.provide(Edge.layer))
