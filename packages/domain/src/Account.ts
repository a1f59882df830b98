/** A tenant: everything else belongs to one. */
import { Schema } from "effect"
import * as Id from "./Id.ts"
import * as Value from "./Value.ts"

export const Account = Schema.Struct({
  id: Id.AccountId.id,
  /** Unique among accounts. */
  name: Value.Name,
  created_at: Value.Timestamp,
}).annotate({ identifier: "Account" })
export type Account = typeof Account.Type

/** The name of the account that the first start makes. */
export const DEFAULT_NAME = "default"
