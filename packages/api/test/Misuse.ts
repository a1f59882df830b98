/** Requests that the API refuses must not compile: `tsc -p tsconfig.test.json` is the test. */
import type { Client } from "@tc/api"

/** Never run. */
export const misuse = (client: Client.Client, id: string) => [
  // @ts-expect-error a store has a name and a platform
  client.stores.create({ payload: { name: "A" } }),
  // @ts-expect-error a create has a payload
  client.stores.create({}),
  // @ts-expect-error a create has a request
  client.stores.create(),
  // @ts-expect-error a name is never cleared
  client.stores.modify({ params: { id }, payload: { name: null } }),
  // @ts-expect-error a PATCH has a payload
  client.stores.modify({ params: { id } }),
  // @ts-expect-error one record is got by its id
  client.stores.get({ params: {} }),
  // @ts-expect-error an area lies below a product
  client.print_areas.get({ params: { id } }),
  // @ts-expect-error no list has such a parameter
  client.products.list({ query: { pgae: 1 } }),
  // @ts-expect-error a page is a number
  client.products.list({ query: { page: "1" } }),
  // @ts-expect-error no design has such a status
  client.designs.create({ payload: { product_id: id, status: "printed" } }),
  // @ts-expect-error the service alone locks a design
  client.designs.modify({ params: { id }, payload: { cart_locked: true } }),
  // @ts-expect-error no asset is of such a type
  client.assets.create({ payload: { name: "A", asset_type: "movie" } }),
  // @ts-expect-error there is no such event
  client.webhook_endpoints.create({ payload: { url: "", events: ["design.finalised"] } }),
  // @ts-expect-error only the service disables an endpoint for its failures
  client.webhook_endpoints.modify({ params: { id }, payload: { status: "auto-disabled" } }),
]
