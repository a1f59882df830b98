/** Slips in the description of a resource that must not compile: `tsc -p tsconfig.test.json` is the test. */
import { Errors, Event, Field, Id, Resource, Value } from "../src/index.ts"

const fields = { name: Field.required(Value.Name), store_id: Field.given(Id.StoreId.id) }
const store = { to: "stores", name: "store" }

export const described = Resource.make("product", Id.ProductId, fields, {
  path: "products",
  search: "name",
  references: { store_id: { ...store, copies: ["name"] } },
  unique: { name: "name_taken" },
  position_within: "store_id",
  initial: { name: "a" },
})
/** The path is known by its letters. */
export const path: "products" = described.path

// @ts-expect-error the catalogue knows no prodcut.created
Resource.make("prodcut", Id.ProductId, fields, { path: "products", search: "name" })
// @ts-expect-error nor any webhook_endpoint.created, so it has to be said what is raised instead
Resource.make("webhook_endpoint", Id.ProductId, fields, { path: "products", search: "name" })
// @ts-expect-error there is no such event
Resource.make("webhook_endpoint", Id.ProductId, fields, { path: "a", search: "name", event_of: () => "store.crated" })
// @ts-expect-error there is no such column
Resource.make("product", Id.ProductId, fields, { path: "products", search: "nmae" })
// @ts-expect-error there is no such column
Resource.make("product", Id.ProductId, fields, { path: "a", search: "name", references: { stroe_id: store } })
// @ts-expect-error there is no such column
Resource.make("product", Id.ProductId, fields, { path: "products", search: "name", position_within: "zzz" })
// @ts-expect-error there is no such column
Resource.make("product", Id.ProductId, fields, { path: "products", search: "name", initial: { nope: 1 } })
// @ts-expect-error there is no such column
Resource.make("product", Id.ProductId, fields, { path: "a", search: "name", unique: { nmae: "name_taken" } })
// @ts-expect-error there is no such conflict
Resource.make("product", Id.ProductId, fields, { path: "products", search: "name", unique: { name: "taken" } })

// @ts-expect-error there is no such event
export const raised: Resource.Raised = { event: "design.finalised", data: {} }
// @ts-expect-error there is no such event
Event.tail({ event: "design.finalised", data: {} }, "", "")
// @ts-expect-error there is no such conflict
export const conflict = new Errors.Conflict({ code: "taken", message: "" })
