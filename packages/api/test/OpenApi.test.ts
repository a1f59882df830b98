import { assert, describe, it } from "@effect/vitest"
import { Event } from "@tc/domain"
import { OpenApi } from "@tc/api"

/** JSON of any shape: it is for assertions to look at. */
type Json = ReturnType<typeof JSON.parse>

const document = JSON.parse(JSON.stringify(OpenApi.document()))
const schemas = document["components"]["schemas"]

/** Every value in the document, with the key it stands under. */
const walk = (value: unknown, visit: (key: string, value: Json) => void): void => {
  if (typeof value !== "object" || value === null) return
  for (const [key, item] of Object.entries(value)) {
    visit(key, item)
    walk(item, visit)
  }
}

const operations = Object.entries<Json>(document["paths"]).flatMap(([path, item]) =>
  Object.entries<Json>(item).map(([method, operation]) => ({ path, method, operation })),
)

const at = (method: string, path: string): Json => document["paths"][path][method]

/** The operations of the specification, and those of the design beside them. */
const expected = [
  ...[
    "stores",
    "products",
    "templates",
    "designs",
    "assets",
    "webhook_endpoints",
    "products/{product_id}/print_areas",
  ].flatMap((path) => [
    `get /api/v1/${path}`,
    `post /api/v1/${path}`,
    `get /api/v1/${path}/{id}`,
    `patch /api/v1/${path}/{id}`,
    `delete /api/v1/${path}/{id}`,
  ]),
  "post /api/v1/designs/{id}/finalize",
  "post /api/v1/webhook_endpoints/{id}/rotate_secret",
  "post /api/v1/webhook_endpoints/{id}/test",
  "get /api/v1/webhook_endpoints/{id}/deliveries",
  "post /api/v1/webhook_endpoints/{id}/recover",
  "get /api/v1/webhook_endpoints/{id}/recoveries",
  "get /api/v1/webhook_endpoints/{id}/recoveries/{recovery_id}",
  "get /api/v1/deliveries/{id}",
  "post /api/v1/deliveries/{id}/retry",
  "get /api/v1/events",
]

describe("the OpenAPI document", () => {
  it("is OpenAPI 3.1", () => assert.strictEqual(document["openapi"], "3.1.0"))

  it("has every operation with its method and path, and no other", () =>
    assert.deepStrictEqual(operations.map(({ method, path }) => `${method} ${path}`).toSorted(), expected.toSorted()))

  it("resolves every reference", () =>
    walk(document, (key, value) => {
      if (key !== "$ref") return
      assert.isTrue(value.startsWith("#/components/schemas/"), value)
      assert.property(schemas, value.slice("#/components/schemas/".length))
    }))

  it("names no component for its encoding, and closes no object", () => {
    assert.deepStrictEqual(
      Object.keys(schemas).filter((name) => !/^[A-Z][A-Za-z]+$/.test(name) || name.endsWith("Encoded")),
      [],
    )
    walk(document, (key, value) => assert.isFalse(key === "additionalProperties" && value === false))
  })

  it("describes every tag that an operation or a webhook has", () => {
    const used = [...operations.map(({ operation }) => operation), ...webhooks].flatMap(({ tags }) => tags)
    const described = document["tags"].map(({ name }: Json) => name)
    assert.sameMembers([...new Set(used)], described)
    assert.strictEqual(new Set(described).size, described.length)
    for (const { description } of document["tags"]) assert.match(description, /^[A-Z].*\.$/)
  })

  it("says where it is served, and under which word the headers of webhooks go", () => {
    assert.deepStrictEqual(document["servers"], [{ url: "/" }])
    assert.deepStrictEqual(OpenApi.document({ base_path: "/shop" }).servers, [{ url: "/shop" }])
  })

  it("names the page of every list after its records", () => {
    const pages = operations
      .filter(({ method, path }) => method === "get" && !path.endsWith("id}"))
      .map(({ operation }) => operation["responses"][200].content["application/json"].schema["$ref"])
    assert.lengthOf(pages, 10)
    for (const $ref of pages) {
      const [, name = ""] = /^#\/components\/schemas\/(\w+)Page$/.exec($ref) ?? []
      const { properties, required } = schemas[`${name}Page`]
      assert.deepStrictEqual(properties.data, { type: "array", items: { $ref: `#/components/schemas/${name}` } })
      assert.deepStrictEqual(required, ["data", "meta"])
    }
  })

  it("has the id of the request in every error", () => {
    const failures = Object.values<Json>(schemas).filter(
      ({ properties = {} }) => "error" in properties && "code" in properties,
    )
    assert.lengthOf(failures, 10)
    for (const { required } of failures) assert.includeMembers(required, ["error", "message", "code", "request_id"])
  })

  it("gives every operation an id of its own, a summary and a description", () => {
    const ids = [...operations.map(({ operation }) => operation), ...webhooks].map(({ operationId }) => operationId)
    assert.strictEqual(new Set(ids).size, ids.length)
    for (const { operation } of operations) {
      assert.isNotEmpty(operation["summary"])
      assert.isNotEmpty(operation["description"])
    }
  })

  it("takes either kind of key everywhere", () => {
    const { securitySchemes } = document["components"]
    assert.deepStrictEqual(Object.keys(securitySchemes), ["bearer", "api_key"])
    // Tools compare it letter by letter.
    assert.strictEqual(securitySchemes["bearer"]["scheme"], "bearer")
    for (const { operation } of operations)
      assert.deepStrictEqual(operation["security"], [{ bearer: [] }, { api_key: [] }])
  })

  it("types the parameters of every list as whole numbers, and bounds the size of a page from below only", () => {
    for (const { path, method, operation } of operations) {
      for (const name of path.matchAll(/\{(\w+)\}/g)) {
        const parameter = operation["parameters"].find((one: Json) => one["name"] === name[1])
        assert.deepInclude(parameter, { in: "path", required: true, schema: { type: "string", format: "uuid" } })
      }
      if (method !== "get" || path.endsWith("id}")) continue
      const [page, per_page] = ["page", "per_page"].map((name) =>
        operation["parameters"].find((one: Json) => one["name"] === name),
      )
      assert.deepInclude(page, {
        in: "query",
        required: false,
        schema: { type: "integer", minimum: 1, maximum: 1_000_000_000, default: 1 },
      })
      // 101 is served, as 100: a client that goes by the document must not refuse it.
      assert.deepStrictEqual(per_page.schema, { type: "integer", minimum: 1, default: 20 })
      assert.include(per_page.description, "100")
    }
  })

  it("says what every operation answers, errors included", () => {
    for (const { method, path, operation } of operations) {
      const statuses = Object.keys(operation["responses"]).map(Number)
      const posted = path.endsWith("/recover") ? 202 : path.includes("{id}") ? 200 : 201
      const success = method === "delete" ? 204 : method === "post" ? posted : 200
      assert.includeMembers(statuses, [success, 401, 403, 500, 503], `${method} ${path}`)
      if (path.includes("{")) assert.include(statuses, 404)
      if (operation["requestBody"] !== undefined) assert.includeMembers(statuses, [400, 413, 415, 422])
      for (const response of Object.values<Json>(operation["responses"]))
        assert.property(response["headers"], "X-Request-Id")
    }
    const { headers } = at("post", "/api/v1/products")["responses"][201]
    assert.property(headers, "Location")
    assert.property(at("get", "/api/v1/products")["responses"][401].headers, "WWW-Authenticate")
    assert.property(at("get", "/api/v1/products")["responses"][503].headers, "Retry-After")
  })

  it("lets the bodies of finalize, rotate_secret and test be left out, and no other", () => {
    const optional = operations.filter(({ operation }) => operation["requestBody"]?.required === false)
    assert.deepStrictEqual(optional.map(({ operation }): string => operation["operationId"]).toSorted(), [
      "designs.finalize",
      "webhook_endpoints.rotate_secret",
      "webhook_endpoints.test",
    ])
  })

  it("shows a secret in the answers to create, rotate_secret and get of an endpoint only", () => {
    const shown = operations.filter(({ operation }) => JSON.stringify(operation).includes("WithSecret"))
    assert.deepStrictEqual(shown.map(({ operation }): string => operation["operationId"]).toSorted(), [
      "webhook_endpoints.create",
      "webhook_endpoints.get",
      "webhook_endpoints.rotate_secret",
    ])
  })
})

const webhooks = Object.values<Json>(document["webhooks"]).map((item) => item["post"])

const headersUnder = (brand: string | undefined): ReadonlyArray<string> => {
  const document = OpenApi.document(brand === undefined ? {} : { brand })
  const { parameters } = JSON.parse(JSON.stringify(document))["webhooks"]["design.finalized"].post
  return parameters.map(({ name }: Json) => name)
}

describe("the webhooks of the document", () => {
  it("are all events of the catalogue", () => {
    assert.strictEqual(webhooks.length, 42)
    assert.deepStrictEqual(Object.keys(document["webhooks"]), [...Event.all])
  })

  it("carry the headers of a delivery under the brand", () => {
    assert.deepStrictEqual(headersUnder(undefined), [
      "User-Agent",
      "X-Service-Event",
      "X-Service-Delivery",
      "X-Service-Timestamp",
      "X-Service-Signature",
      "webhook-id",
      "webhook-timestamp",
      "webhook-signature",
    ])
    assert.include(headersUnder("Acme"), "X-Acme-Signature")
  })

  it("describe the envelope, its keys in order", () => {
    for (const event of Event.all) {
      const { $ref } = document["webhooks"][event].post.requestBody.content["application/json"].schema
      assert.deepStrictEqual(Object.keys(schemas[$ref.split("/").at(-1)].properties), [
        "id",
        "event",
        "account_id",
        "occurred_at",
        "api_version",
        "data",
      ])
    }
  })
})
