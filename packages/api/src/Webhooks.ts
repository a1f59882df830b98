/** The webhooks in the OpenAPI document: every event of the catalogue with its payload and the headers of a delivery. */
import { Event, Name } from "@tc/domain"

/** The component that describes an event's delivery: `design.finalized` is `DesignFinalizedEvent`. */
export const componentOf = (event: Event.EventName): string => `${Name.pascal(event)}Event`

/** The envelopes of all events, each a component of its own. */
export const schemas = Event.all.map((event) => Event.envelope(event).annotate({ identifier: componentOf(event) }))

/** What the document calls them, and says of them. */
export const tag = { name: "webhooks", description: "Every event as an endpoint is sent it: a signed POST." }

/** One entry for each event. `brand` is the word in the names of the headers. */
export const webhooks = (brand: string) =>
  Object.fromEntries(Event.all.map((event) => [event, { post: delivery(event, brand) }]))

const delivery = (event: Event.EventName, brand: string) => ({
  operationId: `webhook.${event}`,
  tags: [tag.name],
  summary: event,
  description: Event.descriptions[event],
  security: [],
  parameters: headers(event, brand),
  requestBody: {
    required: true,
    content: { "application/json": { schema: { $ref: `#/components/schemas/${componentOf(event)}` } } },
  },
  responses: {
    "2XX": { description: "Received. Anything else, or no answer within 30 seconds, is tried again." },
  },
})

const headers = (event: Event.EventName, brand: string) => [
  header("User-Agent", `Who sends: \`${brand}-Webhooks/1.0\`.`, { type: "string", const: `${brand}-Webhooks/1.0` }),
  header(`X-${brand}-Event`, "The event's name.", { type: "string", const: event }),
  header(
    `X-${brand}-Delivery`,
    "The delivery's id: the same on every attempt, so a receiver can tell repetitions.",
    uuid,
  ),
  header(`X-${brand}-Timestamp`, "When this attempt was signed, in seconds since 1970.", seconds),
  header(
    `X-${brand}-Signature`,
    "HMAC-SHA256 of `<timestamp>.<body>` with the endpoint's secret as text, in lower-case hexadecimal. While a secret is replaced, one for each that signs, the new one first.",
    { type: "string", pattern: "^sha256=[0-9a-f]{64}(,sha256=[0-9a-f]{64})*$" },
  ),
  header("webhook-id", "The delivery's id, for libraries of Standard Webhooks.", uuid),
  header("webhook-timestamp", "The timestamp, for libraries of Standard Webhooks.", seconds),
  header(
    "webhook-signature",
    "The signature, for libraries of Standard Webhooks, or several while a secret is replaced.",
    {
      type: "string",
      pattern: "^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$",
    },
  ),
]

const uuid = { type: "string", format: "uuid" }
const seconds = { type: "string", pattern: "^\\d+$" }

const header = (name: string, description: string, schema: object) => ({
  name,
  in: "header",
  description,
  required: true,
  schema,
})
