/** The examples in the OpenAPI document: one for every component, out of the domain's samples. */
import { Delivery, Event, Sample } from "@tc/domain"
import * as Webhooks from "./Webhooks.ts"

/** What each group of operations is about. */
export const tags: { readonly [name: string]: string } = {
  stores: "Connected shops.",
  products: "Customizable products.",
  print_areas: "The zones of a product that customers can print on.",
  templates: "Designs to start from.",
  designs: "Customers' designs, from draft to cart.",
  assets: "Cliparts, fonts and backgrounds.",
  webhook_endpoints: "Who is told of events.",
  deliveries: "Events on their way to an endpoint, and every attempt made.",
  events: "What happened in the account.",
}

const id = Sample.design.id
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="

const attempt: typeof Delivery.Attempt.Encoded = {
  number: 1,
  started_at: "2026-11-03T14:05:27.502Z",
  duration_ms: 84,
  status_code: 200,
  error: null,
  response_excerpt: "ok",
}

const delivery: typeof Delivery.Delivery.Encoded = {
  id,
  account_id: Sample.design.account_id,
  event_id: id,
  endpoint_id: Sample.webhook_endpoint.id,
  event: "design.finalized",
  status: "succeeded",
  attempt_count: 1,
  due_at: null,
  lease_until: null,
  created_at: "2026-11-03T14:05:27.481Z",
  updated_at: "2026-11-03T14:05:27.590Z",
}

const envelope = (event: Event.EventName) => ({
  id,
  event,
  account_id: Sample.design.account_id,
  occurred_at: "2026-11-03T14:05:27.481Z",
  api_version: Event.API_VERSION,
  data: Sample.of(event),
})

/** Records by the names of their components. */
const records: { readonly [component: string]: { readonly [field: string]: unknown } } = {
  Store: Sample.store,
  Product: Sample.product,
  PrintArea: Sample.print_area,
  Template: Sample.template,
  Design: Sample.design,
  Asset: Sample.asset,
  WebhookEndpoint: Sample.webhook_endpoint,
  WebhookEndpointWithSecret: { ...Sample.webhook_endpoint, secret },
  WebhookEndpointTestResult: { event: "design.finalized", ...attempt },
  DesignFinalize: { preview_url: "https://cdn.example.com/design.png", metadata: { quantity: 1 } },
  WebhookEndpointTest: { event: "design.finalized" },
  PageMeta: { page: 1, per_page: 20, total: 1, total_pages: 1 },
  Attempt: attempt,
  Delivery: delivery,
  DeliveryDetail: { ...delivery, attempts: [attempt] },
  Event: envelope("design.finalized"),
  ...Object.fromEntries(Event.all.map((event) => [Webhooks.componentOf(event), envelope(event)])),
}

interface ObjectSchema {
  readonly properties?: { readonly [field: string]: { readonly enum?: ReadonlyArray<unknown> } }
  readonly required?: ReadonlyArray<string>
}

/** A component with its example, where there is one. */
export const exemplify = (schema: ObjectSchema, component: string): object => {
  const example = records[component] ?? ofForm(schema, component) ?? ofError(schema)
  return example === undefined ? schema : { ...schema, examples: [example] }
}

/** A create shows what it requires, a patch the first field it takes. */
const ofForm = ({ properties = {}, required }: ObjectSchema, component: string) => {
  const [, name = "", form] = /^(.+)(Create|Patch)$/.exec(component) ?? []
  const record = records[name]
  if (record === undefined) return undefined
  const fields = form === "Create" ? (required ?? []) : Object.keys(properties).slice(0, 1)
  return Object.fromEntries(fields.map((field) => [field, record[field]]))
}

const ofError = ({ properties = {} }: ObjectSchema) =>
  properties["error"] === undefined || properties["code"] === undefined
    ? undefined
    : {
        error: properties["error"].enum?.[0],
        message: "A sentence that says what to do about it.",
        code: properties["code"].enum?.[0],
        request_id: id,
        ...(properties["errors"] && { errors: [{ path: "/name", message: "is required" }] }),
      }
