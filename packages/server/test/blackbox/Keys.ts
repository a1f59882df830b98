/** Who may call, and what for: keys in all their forms. */
import { assert, describe, it } from "vitest"
import { connect, type Method, unique } from "./Api.ts"
import { newKey, type Server } from "./Server.ts"

type Headers = Readonly<Record<string, string>>

/** What any server refuses. */
export const keys = (server: Server): void => {
  const nobody = connect(server.url, null)
  const call = async (headers: Headers) => nobody.request("GET", "stores", undefined, headers)
  /** The code of a 401, which has to say how to come in. */
  const refusal = async (headers: Headers): Promise<string> => {
    const answer = await call(headers)
    assert.strictEqual(answer.status, 401)
    assert.match(answer.headers.get("www-authenticate") ?? "", /^Bearer\b/)
    return answer.body.code
  }

  it("401: there is none", async () => {
    assert.strictEqual(await refusal({}), "missing_api_key")
    for (const method of ["POST", "PATCH", "DELETE"] as const) {
      for (const path of [`stores/${crypto.randomUUID()}`, "stores"]) {
        const { status } = await nobody.request(method, path, method === "DELETE" ? undefined : {})
        assert.include([401, 405], status)
      }
    }
  })

  it("401: it is malformed or unknown, in either header", async () => {
    const upper = `TC_${server.key.slice(3)}`
    for (const key of ["nonsense", upper, `${server.key}0`, server.key.slice(0, -1), server.key.slice(3), newKey()]) {
      assert.strictEqual(await refusal({ authorization: `Bearer ${key}` }), "invalid_api_key")
      assert.strictEqual(await refusal({ "x-api-key": key }), "invalid_api_key")
    }
  })

  it("401: it differs from one that is known in its last character only", async () => {
    const last = server.key.endsWith("0") ? "1" : "0"
    assert.strictEqual(await refusal({ authorization: `Bearer ${server.key.slice(0, -1)}${last}` }), "invalid_api_key")
  })

  it("401 comes before anything is said of the body or the record", async () => {
    const { status } = await nobody.request("POST", "stores", "{")
    assert.strictEqual(status, 401)
    assert.strictEqual((await nobody.request("GET", "stores/1")).status, 401)
  })

  it("is taken from either header, whatever the case of the scheme", async () => {
    const all = [
      { authorization: `Bearer ${server.key}` },
      { authorization: `bearer ${server.key}` },
      { "x-api-key": server.key },
    ]
    for (const headers of all) assert.strictEqual((await call(headers)).status, 200)
  })

  it("is taken from Authorization first, and from X-API-Key where that is no bearer token", async () => {
    assert.strictEqual(
      await refusal({ authorization: `Bearer ${newKey()}`, "x-api-key": server.key }),
      "invalid_api_key",
    )
    assert.strictEqual((await call({ authorization: `Bearer ${server.key}`, "x-api-key": "x" })).status, 200)
    assert.strictEqual((await call({ authorization: "Basic dXNlcjpwYXNz", "x-api-key": server.key })).status, 200)
  })
}

const operations: ReadonlyArray<readonly [scope: string, Method, path: string]> = [
  ["read", "GET", "products"],
  ["read", "GET", "products/:id"],
  ["read", "GET", "products/:id/print_areas"],
  ["read", "GET", "webhook_endpoints"],
  ["read", "GET", "webhook_endpoints/:id/deliveries"],
  ["read", "GET", "deliveries/:id"],
  ["read", "GET", "events"],
  ["write", "POST", "stores"],
  ["write", "POST", "designs/:id/finalize"],
  ["write", "POST", "webhook_endpoints"],
  ["write", "POST", "webhook_endpoints/:id/test"],
  ["write", "POST", "deliveries/:id/retry"],
  ["write", "PATCH", "assets/:id"],
  ["write", "PATCH", "webhook_endpoints/:id"],
  ["delete", "DELETE", "stores/:id"],
  ["delete", "DELETE", "webhook_endpoints/:id"],
]

/** What keys may do that are made by the command line; `issued` has one for each scope, an expired and a revoked one. */
export const scopes = (server: Server, issued: () => Promise<Readonly<Record<string, string>>>): void => {
  const with_ = async (name: string) => connect(server.url, (await issued())[name] ?? null)
  for (const scope of ["read", "write", "delete"]) {
    describe(`with the scope ${scope}`, () => {
      for (const [needed, method, path] of operations) {
        it(`${needed === scope ? "may" : "403: may not"} ${method} ${path}`, async () => {
          const api = await with_(scope)
          const body = method === "POST" || method === "PATCH" ? { name: unique() } : undefined
          const answer = await api.request(method, path.replace(":id", crypto.randomUUID()), body)
          if (needed === scope) return assert.notInclude([401, 403], answer.status)
          assert.deepStrictEqual([answer.status, answer.body.code], [403, "insufficient_scope"])
          assert.include(answer.body.message, `\`${needed}\``)
        })
      }
    })
  }

  it("401: it has expired", async () => {
    const api = await with_("expired")
    assert.strictEqual(await api.failure("GET", "stores"), "401 expired_api_key")
  })

  it("401: it was revoked", async () => {
    const api = await with_("revoked")
    assert.strictEqual(await api.failure("GET", "stores"), "401 revoked_api_key")
  })
}
