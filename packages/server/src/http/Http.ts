/** All routes of the service as one layer, for any server that Effect has, or none. */
import { Api } from "@tc/api"
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Authorization from "./Authorization.ts"
import * as Deliveries from "./Deliveries.ts"
import * as Designs from "./Designs.ts"
import * as Edge from "./Edge.ts"
import * as Failures from "./Failures.ts"
import * as KeyUse from "./KeyUse.ts"
import * as Plain from "./Plain.ts"
import * as PrintAreas from "./PrintAreas.ts"
import * as System from "./System.ts"
import * as WebhookEndpoints from "./WebhookEndpoints.ts"

const handlers = Layer.mergeAll(Plain.layer, PrintAreas.layer, Designs.layer, WebhookEndpoints.layer, Deliveries.layer)

const middlewares = Layer.mergeAll(
  Authorization.layer.pipe(Layer.provide(KeyUse.layer)),
  Authorization.layerScopes,
  Failures.layer,
)

/**
 * Every route. It needs the services of a storage, a `SecretBox` and `Attempts`; `DeliverySettings` and `HttpSettings`
 * have defaults. Serve it with `HttpRouter.serve(layer, { disableLogger: true })`: it writes its own log.
 */
export const layer = HttpApiBuilder.layer(Api).pipe(
  Layer.provide(handlers),
  Layer.provide(middlewares),
  Layer.merge(System.layer),
  Layer.provide(Edge.layer),
)

/** Health, metrics and documents alone, for a process that only delivers. */
export const layerSystem = System.layer.pipe(Layer.provide(Edge.layer))
