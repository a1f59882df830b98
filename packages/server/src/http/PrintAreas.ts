/** Print areas: the five operations below a product. An area of another product is not found. */
import { Api } from "@tc/api"
import { Errors, PrintArea, Product, Resource, type Id } from "@tc/domain"
import { PrintAreas, Products } from "@tc/store"
import { Effect, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Crud from "./Crud.ts"
import * as Responses from "./Responses.ts"

const { resource } = PrintArea

/** Where one is. */
interface Params {
  readonly product_id: Id.ProductId
  readonly id: Id.PrintAreaId
}

/** The area, if it is one of the product. */
const below =
  ({ product_id, id }: Params) =>
  <Row extends { readonly product_id: string }>(row: Row): Result.Result<Row, Errors.NotFound> =>
    row.product_id === product_id ? Result.succeed(row) : Result.fail(Errors.notFound(resource.name, id))

export const layer = HttpApiBuilder.group(
  Api,
  "print_areas",
  Effect.fnUntraced(function* (group) {
    const areas = yield* PrintAreas
    const products = yield* Products
    return group.handleAll({
      list: ({ params: { product_id }, query }) =>
        Crud.asAccount((account_id) =>
          Effect.andThen(
            products.get(account_id, product_id),
            Effect.map(areas.list(account_id, { ...query, where: { product_id } }), Crud.paged(resource)),
          ),
        ),
      create: ({ params: { product_id }, payload }) =>
        Crud.asAccount((account_id) =>
          areas.create(account_id, { ...payload, product_id }).pipe(
            // The one reference of an area is its product, and that stands in the path.
            Effect.catchTag("Invalid", () => Effect.fail(Errors.notFound(Product.resource.name, product_id))),
            Effect.map((row) =>
              Responses.created(
                `${Crud.locationOf(Product.resource, { ...row, id: product_id })}/${resource.path}/${row.id}`,
                Resource.show(resource, row),
              ),
            ),
          ),
        ),
      get: ({ params }) =>
        Crud.asAccount((account_id) =>
          Effect.map(
            Effect.flatMap(areas.get(account_id, params.id), (row) => Effect.fromResult(below(params)(row))),
            Crud.shown(resource),
          ),
        ),
      modify: ({ params, payload }) =>
        Crud.asAccount((account_id) =>
          Effect.map(
            areas.modify(account_id, params.id, (row, now) =>
              Result.flatMap(below(params)(row), (row) => Resource.patch(resource, payload)(row, now)),
            ),
            Crud.shown(resource),
          ),
        ),
      delete: ({ params }) =>
        Crud.asAccount((account_id) =>
          Effect.as(
            areas.delete(account_id, params.id, (row) => Result.map(below(params)(row), () => {})),
            Responses.noContent,
          ),
        ),
    })
  }),
)
