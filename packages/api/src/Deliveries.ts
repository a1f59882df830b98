/** `/api/v1/deliveries`: one delivery with its attempts, and sending it again. */
import { Delivery, Errors, Id } from "@tc/domain"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Crud from "./Crud.ts"

const params = { id: Id.DeliveryId.input }

export class Deliveries extends HttpApiGroup.make("deliveries")
  .add(
    HttpApiEndpoint.get("get", "/:id", {
      params,
      success: Delivery.DeliveryDetail,
      error: Errors.NotFound,
    }).annotateMerge(Crud.about("Get a delivery", "Answers with the delivery and all its attempts, oldest first.")),
    HttpApiEndpoint.post("retry", "/:id/retry", {
      params,
      success: Delivery.Delivery,
      error: [Errors.NotFound, Errors.Conflict],
    }).annotateMerge(
      Crud.about(
        "Retry a delivery",
        "Makes the delivery due now, whatever became of it. Refused while an attempt is under way, and when its endpoint is not active.",
      ),
    ),
  )
  .prefix(`${Crud.PREFIX}/deliveries`)
  .annotate(OpenApi.Description, "Events on their way to an endpoint, and every attempt made.") {}
