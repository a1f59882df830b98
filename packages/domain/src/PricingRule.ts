/** How the price of a customization is found. Seen in events only; a sensible minimum of fields. */
import { Schema } from "effect"
import * as Id from "./Id.ts"
import * as Value from "./Value.ts"

export const PricingRule = Schema.Struct({
  id: Id.PricingRuleId.id,
  account_id: Id.AccountId.id,
  name: Value.Name,
  /** What the rule applies to. */
  scope: Value.JsonObject,
  /** How it computes. */
  formula: Value.JsonObject,
  active: Schema.Boolean,
  created_at: Value.Timestamp,
  updated_at: Value.Timestamp,
}).annotate({ identifier: "PricingRule" })
export type PricingRule = typeof PricingRule.Type
