/** `/api/v1/products/:product_id/print_areas`: the five operations below a product. */
import { Errors, Page, PrintArea, Product } from "@tc/domain"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Crud from "./Crud.ts"
import { ofBody } from "./Errors.ts"

const { resource } = PrintArea
const below = { product_id: Product.resource.id_input }
const one = { ...below, id: resource.id_input }

export class PrintAreas extends HttpApiGroup.make("print_areas")
  .add(
    HttpApiEndpoint.get("list", "/", {
      params: below,
      query: Page.Query,
      success: Page.Page(resource.record),
      error: [Errors.NotFound, Errors.Invalid],
    }).annotateMerge(Crud.about("List the print areas of a product", Crud.texts.list(resource))),
    HttpApiEndpoint.post("create", "/", {
      params: below,
      payload: resource.create,
      success: resource.record.pipe(HttpApiSchema.status(201)),
      error: [Errors.NotFound, Errors.Conflict, ...ofBody],
    }).annotateMerge(Crud.about("Create a print area", Crud.texts.create)),
    HttpApiEndpoint.get("get", "/:id", {
      params: one,
      success: resource.record,
      error: Errors.NotFound,
    }).annotateMerge(Crud.about("Get a print area", Crud.texts.get)),
    HttpApiEndpoint.patch("modify", "/:id", {
      params: one,
      payload: resource.patch,
      success: resource.record,
      error: [Errors.NotFound, Errors.Conflict, ...ofBody],
    }).annotateMerge(Crud.about("Update a print area", Crud.texts.modify)),
    HttpApiEndpoint.delete("delete", "/:id", {
      params: one,
      success: HttpApiSchema.NoContent,
      error: Errors.NotFound,
    }).annotateMerge(Crud.about("Delete a print area", Crud.texts.delete)),
  )
  .prefix(`${Crud.PREFIX}/products/:product_id/print_areas`)
  .annotate(OpenApi.Description, "The zones of a product that customers can print on.") {}
