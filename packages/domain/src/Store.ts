/** A connected shop. */
import { Schema } from "effect"
import * as Field from "./Field.ts"
import * as Id from "./Id.ts"
import * as Resource from "./Resource.ts"
import * as Value from "./Value.ts"

/** How the connection to the shop stands. */
export const ConnectionStatus = Schema.Literals(["pending", "connected", "error"])

export const resource = Resource.make(
  "store",
  Id.StoreId,
  {
    name: Field.required(Value.Name),
    platform: Field.required(Value.Platform),
    domain: Field.nullable(Value.Domain),
    active: Field.defaulted(Schema.Boolean, true),
    store_url: Field.nullable(Value.Url),
    external_store_id: Field.nullable(Value.Label),
    connection_status: Field.readOnly(ConnectionStatus),
  },
  { path: "stores", search: "name", initial: { connection_status: "pending" } },
)

export type Store = typeof resource.record.Type
