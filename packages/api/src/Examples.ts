/** The examples in the OpenAPI document: one for every component, out of the domain's samples. */
import { Errors, Event, Sample, type Delivery, type Recovery } from "@tc/domain"
import { SchemaAST } from "effect"
import * as Wire from "./Errors.ts"
import * as Webhooks from "./Webhooks.ts"

const ids = {
  event: "019a4a8b-27f9-7a31-8c55-0d6f3e9b7a10",
  delivery: "019a4a8b-27fa-7c02-b1d4-62e8a95f0c11",
  recovery: "019a4a8b-2831-7b5e-a6c7-8f1d2e3a4b13",
  request: "019a4a8b-27e0-7f6d-9a83-4b1c7d2e5f12",
}
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
const occurred_at = "2026-11-03T14:05:27.481Z"

const attempt: typeof Delivery.Attempt.Encoded = {
  number: 1,
  started_at: "2026-11-03T14:05:27.502Z",
  duration_ms: 84,
  status_code: 200,
  error: null,
  response_excerpt: "ok",
}
const { number: _, ...outcome } = attempt

const delivery: typeof Delivery.Delivery.Encoded = {
  id: ids.delivery,
  account_id: Sample.design.account_id,
  event_id: ids.event,
  endpoint_id: Sample.webhook_endpoint.id,
  event: "design.finalized",
  status: "succeeded",
  attempt_count: 1,
  due_at: null,
  lease_until: null,
  created_at: occurred_at,
  updated_at: "2026-11-03T14:05:27.590Z",
}

const recovery: typeof Recovery.Recovery.Encoded = {
  id: ids.recovery,
  account_id: Sample.design.account_id,
  endpoint_id: Sample.webhook_endpoint.id,
  status: "running",
  since: "2026-11-03T08:00:00.000Z",
  until: occurred_at,
  events: ["design.finalized"],
  event_count: 500,
  delivery_count: 36,
  created_at: occurred_at,
  updated_at: "2026-11-03T14:05:28.104Z",
  completed_at: null,
}

const envelope = (id: string, event: Event.EventName) => ({
  id,
  event,
  account_id: Sample.design.account_id,
  occurred_at,
  api_version: Event.API_VERSION,
  data: Sample.of(event),
})

/** What the service says when it refuses a request. */
const failures: ReadonlyArray<Wire.Failure> = [
  new Wire.BadRequest({ message: "The body is not valid JSON." }),
  new Wire.Unauthorized({ code: "invalid_api_key", message: "The API key is not valid." }),
  new Wire.Forbidden({ message: "This API key lacks the scope `write`, which this operation needs." }),
  Errors.notFound("design", Sample.design.id),
  new Errors.Conflict({
    code: "design_finalized",
    message: "The design is finalized; only preview_url and metadata can still change.",
  }),
  new Wire.PayloadTooLarge({ message: "The body is larger than 10 MiB." }),
  new Wire.UnsupportedMediaType({ message: "The body must be JSON: send it as application/json." }),
  Errors.invalid([
    { path: "/name", message: "is required" },
    { path: "/store_id", message: "must be a UUID" },
  ]),
  new Wire.InternalServerError({
    message: "Something went wrong in the service. Quote the request_id when you report it.",
  }),
  new Wire.ServiceUnavailable({ message: "The service cannot answer just now. Try again later." }),
]

const failure = ({ error, message, code, ...rest }: Wire.Failure) => ({
  error,
  message,
  code,
  request_id: ids.request,
  ...("errors" in rest && { errors: rest.errors }),
})

/** By the names of their components. The first event of a record shows it; those after it are overwritten. */
const examples: { readonly [component: string]: unknown } = {
  ...Object.fromEntries(
    Event.all.toReversed().map((event) => [SchemaAST.resolveIdentifier(Event.data[event].ast), Sample.of(event)]),
  ),
  Bounds: Sample.print_area.bounds,
  BulkOrderItem: Sample.bulk_order.items[0],
  WebhookEndpointWithSecret: { ...Sample.webhook_endpoint, secret },
  WebhookEndpointTestResult: { event: "design.finalized", ...outcome },
  DesignFinalize: { preview_url: "https://cdn.riverside-prints.example/design.png", metadata: { quantity: 1 } },
  WebhookEndpointRotateSecret: { overlap_seconds: 86_400 },
  WebhookEndpointTest: { event: "design.finalized" },
  PageMeta: { page: 1, per_page: 20, total: 1, total_pages: 1 },
  Attempt: attempt,
  Delivery: delivery,
  DeliveryDetail: { ...delivery, attempts: [attempt] },
  Recovery: recovery,
  EventName: "design.finalized",
  Event: envelope(ids.event, "design.finalized"),
  ...Object.fromEntries(Event.all.map((event) => [Webhooks.componentOf(event), envelope(ids.delivery, event)])),
  ...Object.fromEntries(failures.map((error) => [error._tag, failure(error)])),
}

interface ObjectSchema {
  readonly properties?: object
  readonly required?: ReadonlyArray<string>
}

/** A component with its example. */
export const exemplify = (schema: ObjectSchema, component: string): object => ({
  ...schema,
  examples: [examples[component] ?? derived(schema, component)],
})

/** A page has one record on it, a create what it requires, a patch the first field it takes. */
const derived = ({ properties = {}, required = [] }: ObjectSchema, component: string): unknown => {
  const [, name = "", form] = /^(.+)(Page|Create|Patch)$/.exec(component) ?? []
  const record = new Map(Object.entries(examples[name] ?? {}))
  if (form === "Page") return { data: [examples[name]], meta: examples["PageMeta"] }
  const fields = form === "Create" ? required : Object.keys(properties).slice(0, 1)
  return Object.fromEntries(fields.map((field) => [field, record.get(field)]))
}
