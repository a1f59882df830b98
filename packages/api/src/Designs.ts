/** `/api/v1/designs`: the five operations, and finalizing. */
import { Design, Errors } from "@tc/domain"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import * as Crud from "./Crud.ts"
import { ofBody } from "./Errors.ts"

export class Designs extends Crud.group(Design.resource, "Customers' designs, from draft to cart.").add(
  HttpApiEndpoint.post("finalize", `${Crud.PREFIX}/designs/:id/finalize`, {
    params: { id: Design.resource.id_input },
    payload: [Design.Finalize, HttpApiSchema.NoContent],
    success: Design.resource.record,
    error: [Errors.NotFound, Errors.Conflict, ...ofBody],
  }).annotateMerge(
    Crud.about(
      "Finalize a design",
      "Ends the customization: `design.finalized` is raised once, however often this is called. The body may be empty.",
    ),
  ),
) {}
