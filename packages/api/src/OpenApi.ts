/** The OpenAPI 3.1 document of the contract: what the generator makes of it, put right and completed. */
import { Event, Limits } from "@tc/domain"
import { HttpApi, OpenApi } from "effect/http-api"
import { Api } from "./Api.ts"
import * as Examples from "./Examples.ts"
import * as Webhooks from "./Webhooks.ts"

/** A document, with what the generator's own type leaves out. */
export interface Document extends OpenApi.OpenAPISpec {
  readonly webhooks?: ReturnType<typeof Webhooks.webhooks>
}

/** What a document says of where it is served. */
export interface Options {
  /** The word in the names of webhook headers: `Service` when left out. */
  readonly brand?: string
  /** The path under which the API is mounted, such as `/customizer`: the root when left out. */
  readonly base_path?: string
}

/** The document as JSON. */
export const document = (options?: Options): Document => OpenApi.fromApi(documented(options))

/** The contract with all that a page of documents needs to render it. */
export const documented = ({ brand = "Service", base_path = "" }: Options = {}): typeof Api =>
  Api.annotate(HttpApi.AdditionalSchemas, Webhooks.schemas).annotateMerge(
    OpenApi.annotations({
      title: "Customization service",
      version: "1",
      description,
      servers: [{ url: base_path === "" ? "/" : base_path }],
      // The generator hands over a document typed as any record.
      transform: (spec) => complete(spec as Document, brand),
    }),
  ) as typeof Api

const description = `Customizable products, their print areas, templates, designs, assets and connected stores, and the webhooks that tell of them.

Every request carries an API key. GET needs the scope \`read\`, POST and PATCH \`write\`, DELETE \`delete\`. Every answer carries an \`X-Request-Id\`: yours, when you send one. Every error has one shape: \`error\`, \`message\`, \`code\` and \`request_id\`, and for 422 also \`errors\`, one entry for each wrong field.`

const complete = (generated: Document, brand: string): Document => {
  const spec = tidy(generated) as Document
  return {
    ...spec,
    tags: [...spec.tags, Webhooks.tag],
    paths: mapValues(spec.paths, (item) => mapValues(item, operation)),
    components: {
      ...spec.components,
      schemas: mapValues(spec.components.schemas, component),
      securitySchemes: mapValues(spec.components.securitySchemes, scheme),
    },
    webhooks: Webhooks.webhooks(brand),
  }
}

/** Tools look for `bearer` in small letters, and take any other scheme for a name and a password. */
const scheme = (scheme: OpenApi.OpenAPISecurityScheme) =>
  "scheme" in scheme ? { ...scheme, scheme: scheme.scheme.toLowerCase() } : scheme

const component = (schema: Component, name: string) =>
  Examples.exemplify(
    /^(WebhookEndpoint(Create|Patch)|RecoveryCreate)$/.test(name) ? subscribing(schema) : numbered(schema),
    name,
  )

/** A component, as far as it is looked into here. */
interface Component {
  readonly properties?: object
  readonly required?: ReadonlyArray<string>
}

/** The id of the request is put into every error on its way out, and so the classes of the errors need not have it. */
const numbered = (schema: Component): Component =>
  "request_id" in (schema.properties ?? {})
    ? { ...schema, required: [...(schema.required ?? []), "request_id"] }
    : schema

/** Subscriptions are checked for their number before their names, and the generator sees the number only. */
const subscribing = (schema: Component): Component => ({
  ...schema,
  properties: {
    ...schema.properties,
    events: {
      description: 'Names of events, or `["*"]` (also written `"*"`) for all, those added later included.',
      anyOf: [
        { type: "array", items: { $ref: "#/components/schemas/EventName" }, minItems: 1, maxItems: Event.all.length },
        { type: "array", items: { const: "*" }, minItems: 1, maxItems: 1 },
        { const: "*" },
      ],
    },
  },
})

const mapValues = <T extends object>(record: T, f: (value: never, key: string) => unknown): T =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, f(value as never, key)])) as T

const clean = (name: string) => name.replace(/Encoded$/, "")

/**
 * The generator names the wire form of an error `…Encoded`, and it closes every object, although unknown fields are
 * ignored on the way in and new ones may come on the way out.
 */
const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !(key === "additionalProperties" && item === false))
      .map(([key, item]) => [clean(key), key === "$ref" ? clean(item) : tidy(item)]),
  )
}

type Operation = OpenApi.OpenAPISpecOperation

const operation = (operation: Operation): Operation => ({
  ...operation,
  parameters: operation.parameters.map((parameter) => ({ ...parameter, ...parameters[parameter.name] })),
  responses: mapValues(operation.responses, (response: OpenApi.OpenApiSpecResponse, status) => ({
    ...response,
    description: responses[status] ?? response.description,
    headers: { "X-Request-Id": requestId, ...headers[status] },
  })),
  ...(operation.requestBody && {
    requestBody: { ...operation.requestBody, required: !mayBeEmpty.includes(operation.operationId) as true },
  }),
})

/** Operations whose body may be left out. */
const mayBeEmpty = ["designs.finalize", "webhook_endpoints.rotate_secret", "webhook_endpoints.test"]

const id = { type: "string", format: "uuid" }

/** The generator calls every parameter a string. */
const parameters: { readonly [name: string]: Partial<OpenApi.OpenAPISpecParameter> } = {
  id: { description: "The record's id.", schema: id },
  recovery_id: { description: "The recovery's id.", schema: id },
  product_id: { description: "The product's id.", schema: id },
  page: {
    description: "Which page.",
    schema: { type: "integer", minimum: 1, maximum: Limits.PAGE_MAX, default: 1 },
  },
  per_page: {
    description: `Records on a page. More than ${Limits.PER_PAGE_MAX} is served as ${Limits.PER_PAGE_MAX}.`,
    // No maximum: what is above is served, and a client that goes by the document should not refuse it.
    schema: { type: "integer", minimum: 1, default: Limits.PER_PAGE_DEFAULT },
  },
  q: { description: "Keeps the records that contain this text, in any case; `%` and `_` mean themselves." },
  event: { description: "Keeps those of this event." },
  status: { description: "Keeps those with this status." },
}

const responses: { readonly [status: string]: string } = {
  200: "Done.",
  201: "Created.",
  202: "Accepted: the work is done after the answer.",
  204: "Deleted.",
  400: "The body is not JSON.",
  401: "No API key, or one that is not accepted.",
  403: "The key lacks the scope that the operation needs.",
  404: "No such record in this account.",
  409: "The state of the record does not allow it, or the id or token is taken.",
  413: `The body is larger than ${Limits.BODY_MAX_BYTES / 1024 / 1024} MiB.`,
  415: "The body has a content type other than JSON.",
  422: "Fields or parameters are wrong; `errors` has one entry for each.",
  500: "A fault of the service.",
  503: "The service cannot answer just now.",
}

const text = (description: string) => ({ description, required: true, schema: { type: "string" } })

const requestId = text("Names the request: the caller's own id, or a new one.")

const headers: { readonly [status: string]: { readonly [name: string]: OpenApi.OpenAPISpecHeader } } = {
  201: { Location: text("Where the new record is.") },
  202: { Location: text("Where its progress is.") },
  401: { "WWW-Authenticate": text("`Bearer`.") },
  503: { "Retry-After": { description: "Seconds to wait.", required: true, schema: { type: "integer" } } },
}
