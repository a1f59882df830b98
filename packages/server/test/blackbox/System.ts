/** What the server answers beside its API, and what it writes down. */
import { assert, describe, it } from "vitest"
import { connect, MARK } from "./Api.ts"
import * as Metrics from "./Metrics.ts"
import type { Server } from "./Server.ts"

export const system = (server: Server): void => {
  const api = connect(server.url, null)
  const get = (path: string) => api.request("GET", path)

  it("says that it lives and is ready", async () => {
    for (const path of ["/health/live", "/health/ready"]) {
      const { body, status } = await get(path)
      assert.deepStrictEqual([status, body], [200, { status: "ok" }])
    }
  })

  it("shows metrics that Prometheus reads", async () => {
    const { headers, status, text } = await get("/metrics")
    assert.strictEqual(status, 200)
    assert.match(headers.get("content-type") ?? "", /^text\/plain/)
    assert.match(text, /^# TYPE http_requests_total counter$/m)
    assert.match(text, /^http_requests_total\{.*route="\/api\/v1\/stores".*\} [1-9]\d*$/m)
    assert.notMatch(text, new RegExp(MARK))
    for (const line of text.trim().split("\n"))
      assert.match(line, /^(# (HELP|TYPE) .+|[a-z_]+(\{.*\})? [-+0-9.eInfNa]+)$/)
  })

  it("shows the metrics that are documented, and no other", async () => {
    const { text } = await get("/metrics")
    const [documented, shown] = [await Metrics.documented(), Metrics.shown(text)]
    assert.deepStrictEqual(shown, documented)
  })

  it("describes itself: every operation of the contract is in the document", async () => {
    const { body, status } = await get("/openapi.json")
    assert.strictEqual(status, 200)
    assert.match(body.openapi, /^3\.1\./)
    const operations = Object.entries(body.paths).flatMap(([path, item]) =>
      Object.keys(item as object).map((method) => `${method} ${path}`),
    )
    const plain = [
      "products",
      "products/{product_id}/print_areas",
      "templates",
      "designs",
      "assets",
      "stores",
      "webhook_endpoints",
    ]
    const expected = [
      ...plain.flatMap((path) => [`get /api/v1/${path}`, `post /api/v1/${path}`]),
      ...plain.flatMap((path) => ["get", "patch", "delete"].map((method) => `${method} /api/v1/${path}/{id}`)),
      ...[
        "designs/{id}/finalize",
        "webhook_endpoints/{id}/recover",
        "webhook_endpoints/{id}/rotate_secret",
        "webhook_endpoints/{id}/test",
        "deliveries/{id}/retry",
      ].map((path) => `post /api/v1/${path}`),
      ...[
        "webhook_endpoints/{id}/recoveries",
        "webhook_endpoints/{id}/recoveries/{recovery_id}",
        "webhook_endpoints/{id}/deliveries",
        "deliveries/{id}",
        "events",
      ].map((path) => `get /api/v1/${path}`),
    ]
    assert.sameMembers(operations, expected)
  })

  it("has a page for people", async () => {
    const { headers, status, text } = await get("/docs")
    assert.strictEqual(status, 200)
    assert.match(headers.get("content-type") ?? "", /^text\/html/)
    assert.match(text, /^<!doctype html>/i)
  })
}

/** To be looked at last. */
export const log = (server: Server, others: () => Promise<string>): void => {
  describe("the log", () => {
    it("has a line for each request, in JSON", () => {
      const lines = server
        .log()
        .split("\n")
        .filter((line) => line.includes('"POST /api/v1/stores 201"'))
      assert.isNotEmpty(lines)
      assert.deepInclude(JSON.parse(lines[0] ?? "").annotations, {
        method: "POST",
        path: "/api/v1/stores",
        status: 201,
      })
    })

    it("tells of no key, no secret and no payload", async () => {
      const text = server.log() + (await others())
      for (const secret of [
        /tc_[0-9a-f]{64}/i,
        /whsec_[A-Za-z0-9+/]{20}/,
        new RegExp(MARK, "i"),
        /postgres(ql)?:\/\/\S*:\S*@/,
      ]) {
        assert.notMatch(text, secret)
      }
    })

    it("tells of no fault of the server", () => {
      const faults = server
        .log()
        .split("\n")
        .filter((line) => /"level":"(ERROR|FATAL)"/.test(line))
      assert.deepStrictEqual(faults, [])
    })
  })
}
