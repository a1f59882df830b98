/** The catalogue: what each event carries, and the envelope in which it is sent. */
import { Schema } from "effect"
import * as Asset from "./Asset.ts"
import { BulkOrder } from "./BulkOrder.ts"
import * as Design from "./Design.ts"
import { all, changes, descriptions, EventName } from "./EventName.ts"
import * as Id from "./Id.ts"
import { Mockup } from "./Mockup.ts"
import * as PrintArea from "./PrintArea.ts"
import { PricingRule } from "./PricingRule.ts"
import { PrintFile } from "./PrintFile.ts"
import { PrintingMethod } from "./PrintingMethod.ts"
import * as Product from "./Product.ts"
import type { Raised } from "./Resource.ts"
import * as Store from "./Store.ts"
import * as Template from "./Template.ts"
import * as Value from "./Value.ts"
import * as WebhookEndpoint from "./WebhookEndpoint.ts"

export { all, descriptions, EventName }

/** The version label of the payloads below, `<year>-<month>`. */
export const API_VERSION = "2026-11"

const store = Store.resource.record
const design = Design.resource.record
const asset = Asset.resource.record

/** The schema of each event's `data`. */
export const data = {
  ...changes("store", store),
  "store.connected": store,
  "store.disconnected": store,
  "store.synced": store,
  "store.sync_failed": store,
  "store.customizer_enabled": store,
  "store.customizer_disabled": store,
  ...changes("product", Product.resource.record),
  ...changes("print_area", PrintArea.resource.record),
  ...changes("template", Template.resource.record),
  ...changes("design", design),
  "design.finalized": design,
  "design.cart_added": design,
  "design.shared": design,
  ...changes("asset", asset),
  ...changes("font", asset),
  "bulk_order.created": BulkOrder,
  "bulk_order.updated": BulkOrder,
  "bulk_order.completed": BulkOrder,
  "print_file.generated": PrintFile,
  "mockup.generated": Mockup,
  ...changes("pricing_rule", PricingRule),
  ...changes("printing_method", PrintingMethod),
  "webhook_endpoint.disabled": WebhookEndpoint.resource.record,
} as const satisfies Record<EventName, Schema.Top>

/** An event of the catalogue with what it carries. */
export type Emission = {
  readonly [Name in EventName]: { readonly event: Name; readonly data: (typeof data)[Name]["Type"] }
}[EventName]

/** The envelope of one event, as a delivery carries it. Its `id` is the delivery's; in the list of events, the event's. */
export const envelope = <const Name extends EventName>(name: Name) =>
  Schema.Struct({
    id: Id.DeliveryId.id,
    event: Schema.Literal(name),
    account_id: Id.AccountId.id,
    occurred_at: Value.Timestamp,
    api_version: Schema.String,
    data: data[name],
  })

/** An event as kept and listed. */
export const Event = Schema.Struct({
  id: Id.EventId.id,
  event: Schema.String,
  account_id: Id.AccountId.id,
  occurred_at: Value.Timestamp,
  api_version: Schema.String,
  data: Value.JsonObject,
}).annotate({ identifier: "Event" })
export type Event = typeof Event.Type

/** An event without what it carried, and how many deliveries there are of it. */
export const EventSummary = Schema.Struct({
  id: Id.EventId.id,
  event: Schema.String,
  occurred_at: Value.Timestamp,
  delivery_count: Value.Count,
}).annotate({ identifier: "EventSummary" })
export type EventSummary = typeof EventSummary.Type

/**
 * The exact text of an event from its second key on, made once and kept: `"event":…,"data":{…}}`. Every delivery of the
 * event sends these characters after its own id, so that they are never serialised again.
 */
export const tail = (raised: Raised, account_id: string, occurred_at: string): string =>
  JSON.stringify({ event: raised.event, account_id, occurred_at, api_version: API_VERSION, data: raised.data }).slice(1)

/** An event that a program raises, as one of a record: its data begins with the id. */
export const raisedOf = ({ event, data }: Emission): Raised => ({
  event,
  data: Object.assign({ id: data.id }, data),
})

/** Where, behind the name of the event, the id of its record stands in the text: all before it is of one length. Indexes rely on it. */
export const SUBJECT_AT = 142
const ID_LENGTH = 36

/** The id of the record that an event is about, as its text has it. */
export const subjectOf = (event: string, tail: string): string =>
  tail.slice(event.length + SUBJECT_AT, event.length + SUBJECT_AT + ID_LENGTH)

/** The body of a delivery, or the whole event: an id in front of the kept text. */
export const body = (id: string, tail: string): string => `{"id":"${id}",${tail}`
