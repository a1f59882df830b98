import { afterAll, assert, describe, it } from "@effect/vitest"
import type { ApiKey } from "@tc/domain"
import * as Records from "./Records.ts"
import { start } from "./Service.ts"

const service = await start()
afterAll(service.stop)

const { key } = service
const ask = (headers: Record<string, string>) => service.send("/api/v1/stores", { headers })
const unknown = `tc_${"0".repeat(64)}`

describe("a key", () => {
  it("is taken as a bearer token, the scheme in any case, or in a header of its own", async () => {
    for (const headers of [
      { authorization: `Bearer ${key}` },
      { authorization: `bearer ${key}` },
      { "x-api-key": key },
      { authorization: "Basic dTpw", "x-api-key": key },
    ] as ReadonlyArray<Record<string, string>>) {
      assert.strictEqual((await ask(headers)).status, 200, JSON.stringify(headers))
    }
  })

  it("as a bearer token goes before the other header, right or wrong", async () => {
    assert.strictEqual((await ask({ authorization: `Bearer ${key}`, "x-api-key": unknown })).status, 200)
    const wrong = await ask({ authorization: `Bearer ${unknown}`, "x-api-key": key })
    assert.deepInclude({ status: wrong.status, code: wrong.body.code }, { status: 401, code: "invalid_api_key" })
  })

  it("is refused with 401 and the reason when it is missing, malformed, unknown, expired or revoked", async () => {
    const past = "2020-01-01T00:00:00.000Z"
    const cases: ReadonlyArray<readonly [Record<string, string>, string]> = [
      [{}, "missing_api_key"],
      [{ authorization: "Bearer " }, "missing_api_key"],
      [{ authorization: "Basic dTpw" }, "missing_api_key"],
      [{ "x-api-key": "" }, "missing_api_key"],
      [{ authorization: "Bearer tc_short" }, "invalid_api_key"],
      [{ "x-api-key": key.toUpperCase() }, "invalid_api_key"],
      [{ authorization: `Bearer ${unknown}` }, "invalid_api_key"],
      [{ "x-api-key": `${key.slice(0, 11)}${"0".repeat(56)}` }, "invalid_api_key"],
      [{ authorization: `Bearer ${await service.keyOf("default", { expires_at: past })}` }, "expired_api_key"],
      [{ "x-api-key": await service.keyOf("default", { revoked_at: past }) }, "revoked_api_key"],
    ]
    for (const [headers, code] of cases) {
      const answer = await ask(headers)
      assert.strictEqual(answer.status, 401, code)
      assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
      assert.deepInclude(answer.body, { error: "Unauthorized", code })
      assert.strictEqual(answer.body.request_id, answer.headers.get("x-request-id"))
    }
  })

  it("that has yet to expire is taken", async () => {
    const later = await service.keyOf("default", { expires_at: "2999-01-01T00:00:00.000Z" })
    assert.strictEqual((await ask({ "x-api-key": later })).status, 200)
  })

  it("is asked for before anything is said of the request", async () => {
    for (const [path, method] of [
      ["/api/v1/stores/nonsense", "GET"],
      ["/api/v1/stores?page=0", "GET"],
      ["/api/v1/stores", "POST"],
      [`/api/v1/deliveries/${Records.nobody}/retry`, "POST"],
    ] as const) {
      const body = method === "POST" ? { body: "{", headers: { "content-type": "text/html" } } : {}
      assert.strictEqual((await service.send(path, { method, ...body })).status, 401)
    }
  })
})

describe("a scope", () => {
  const methods = { GET: "read", POST: "write", PATCH: "write", DELETE: "delete" } as const
  const scopes: ReadonlyArray<ApiKey.Scope> = ["read", "write", "delete"]

  for (const [method, needed] of Object.entries(methods)) {
    it(`${needed} is needed to ${method}, endpoints included`, async () => {
      for (const path of ["stores", "webhook_endpoints"]) {
        const at = `/api/v1/${path}${method === "GET" || method === "POST" ? "" : `/${Records.nobody}`}`
        const without = await service.keyOf("default", { scopes: scopes.filter((scope) => scope !== needed) })
        const refused = await service.send(at, { method, headers: { "x-api-key": without } })
        assert.strictEqual(refused.status, 403)
        assert.deepInclude(refused.body, { error: "Forbidden", code: "insufficient_scope" })
        assert.include(refused.body.message, `\`${needed}\``)
        const withIt = await service.keyOf("default", { scopes: [needed] })
        assert.notInclude([401, 403], (await service.send(at, { method, headers: { "x-api-key": withIt } })).status)
      }
    })
  }

  it("is not said to lack to who has no key", async () =>
    assert.strictEqual((await service.send("/api/v1/stores", { method: "DELETE" })).status, 405))
})
