import { afterAll, assert, describe, it } from "@effect/vitest"
import { Limits } from "@tc/domain"
import { Storage, Stores, Unavailable } from "@tc/store"
import { Context, Effect } from "effect"
import { STATUS_CODES } from "node:http"
import { gzipSync } from "node:zlib"
import * as Records from "./Records.ts"
import { start, type Answer } from "./Service.ts"

const service = await start({ settings: { log_requests: true } })
const unavailable = Effect.die(new Unavailable({ cause: new Error("password=hunter2") }))
const down = await start({
  change: (context) =>
    Context.add(context, Storage, { ready: unavailable }).pipe(
      Context.add(Stores, { ...Context.get(context, Stores), get: () => unavailable }),
    ),
})
const broken = await start({
  change: (context) =>
    Context.add(context, Stores, {
      ...Context.get(context, Stores),
      get: () => Effect.die(new Error("password=hunter2")),
      list: () =>
        Effect.sync(() => {
          throw new TypeError("password=hunter2")
        }),
    }),
})
afterAll(() => Promise.all([service.stop(), down.stop(), broken.stop()]))

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const at = "/api/v1/stores"
const nobody = `${at}/${Records.nobody}`

/** What matters of an answer that tells of a failure. */
const formOf = ({ body, headers, status }: Answer) => ({
  status,
  type: headers.get("content-type"),
  keys: Object.keys(body),
  error: body.error,
  code: body.code,
  sentence: /^[A-Z].*[.]$/s.test(body.message),
  named: body.request_id === headers.get("x-request-id"),
})

/** The one form of every failure. */
const failure = (status: number, code: string) => ({
  status,
  type: "application/json",
  keys: ["error", "message", "code", "request_id", ...(status === 422 ? ["errors"] : [])],
  error: STATUS_CODES[status],
  code,
  sentence: true,
  named: true,
})

describe("a failure", () => {
  it("is 400 where the body is not JSON", async () => {
    for (const body of ["{", "nonsense", '{"a":1}}', "\u0000", "{'a':1}"]) {
      assert.deepStrictEqual(formOf(await service.post(at, body)), failure(400, "malformed_json"))
    }
    for (const body of ["", undefined]) {
      assert.deepStrictEqual(formOf(await service.post(at, body)), failure(400, "malformed_json"))
    }
  })

  it("is 404 where there is no such route, and no such record", async () => {
    for (const path of ["/", "/api", "/api/v1/nothing", "/api/v2/stores", `${nobody}/more`, "/%E0%A4%A", "//"]) {
      assert.deepStrictEqual(formOf(await service.get(path)), failure(404, "not_found"))
    }
    assert.deepStrictEqual(formOf(await service.get(nobody)), failure(404, "not_found"))
    assert.deepStrictEqual(formOf(await service.get(`${at}/${"a".repeat(5_000)}`)), failure(404, "not_found"))
  })

  it("is 405 where the path takes other methods, and says which", async () => {
    for (const [method, path, allow] of [
      ["PUT", at, "GET, HEAD, POST"],
      ["DELETE", `${at}?x=1`, "GET, HEAD, POST"],
      ["POST", nobody, "GET, HEAD, PATCH, DELETE"],
      ["OPTIONS", nobody, "GET, HEAD, PATCH, DELETE"],
      ["GET", `/api/v1/designs/${Records.nobody}/finalize`, "POST"],
      ["POST", "/health/live", "GET, HEAD"],
      ["DELETE", "/metrics", "GET, HEAD"],
    ] as const) {
      const answer = await service.send(path, { method })
      assert.deepStrictEqual(formOf(answer), failure(405, "method_not_allowed"))
      assert.strictEqual(answer.headers.get("allow"), allow)
    }
  })

  it("is 409 where an id is taken", async () => {
    const { body } = await service.post(at, Records.store)
    assert.deepStrictEqual(formOf(await service.post(at, { ...Records.store, id: body.id })), failure(409, "id_taken"))
  })

  it("is 413 where the body is too large, whether it says so or not", async () => {
    const large = JSON.stringify({ ...Records.store, name: "x".repeat(Limits.BODY_MAX_BYTES) })
    assert.deepStrictEqual(formOf(await service.post(at, large)), failure(413, "payload_too_large"))
    const chunk = new Uint8Array(1024 * 1024).fill(32)
    let chunks = 0
    const endless = new ReadableStream({ pull: (controller) => (chunks++, controller.enqueue(chunk)) })
    const headers = { "x-api-key": service.key, "content-type": "application/json" }
    const answer = await service.send(at, { method: "POST", body: endless, duplex: "half", headers })
    assert.deepStrictEqual(formOf(answer), failure(413, "payload_too_large"))
    assert.isAtMost(chunks, 13)
  })

  it("is 415 where the body is of another type than JSON", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/xml",
      "nonsense",
    ]) {
      const headers = { "x-api-key": service.key, "content-type": type }
      assert.deepStrictEqual(
        formOf(await service.send(at, { method: "POST", body: "{}", headers })),
        failure(415, "unsupported_media_type"),
      )
    }
  })

  it("is 415 where the body is compressed", async () => {
    const headers = { "x-api-key": service.key, "content-type": "application/json", "content-encoding": "gzip" }
    const body = gzipSync(JSON.stringify(Records.store))
    assert.deepStrictEqual(
      formOf(await service.send(at, { method: "POST", body, headers })),
      failure(415, "unsupported_media_type"),
    )
    const plain = { ...headers, "content-encoding": "identity" }
    const request = { method: "POST", body: JSON.stringify(Records.store), headers: plain }
    assert.strictEqual((await service.send(at, request)).status, 201)
  })

  it("is none where JSON names its character set, or no type at all", async () => {
    const body = new TextEncoder().encode(JSON.stringify(Records.store))
    for (const headers of [
      { "content-type": "application/json; charset=utf-8" },
      { "content-type": "Application/JSON" },
      {},
    ]) {
      const init = { method: "POST", body, headers: { "x-api-key": service.key, ...headers } as Record<string, string> }
      assert.strictEqual((await service.send(at, init)).status, 201)
    }
  })

  it("is 422 where fields are wrong, all of them at once", async () => {
    const answer = await service.post(at, { platform: "", active: "yes", store_url: "nowhere" })
    assert.deepStrictEqual(formOf(answer), failure(422, "validation_failed"))
    assert.deepStrictEqual(
      answer.body.errors.map(({ path }: { path: string }) => path),
      ["/name", "/platform", "/active", "/store_url"],
    )
  })

  it("is 500 where the service is at fault, and tells nothing of it but in the log", async () => {
    for (const path of [nobody, at]) {
      const answer = await broken.get(path)
      assert.deepStrictEqual(formOf(answer), failure(500, "internal_error"))
      assert.notInclude(answer.text, "hunter2")
      const [entry] = broken.logged.filter(({ annotations }) => annotations["request_id"] === answer.body.request_id)
      assert.strictEqual(entry?.["level"], "ERROR")
      assert.include(JSON.stringify(entry), "hunter2")
    }
  })

  it("is 503 with a time to wait where the storage cannot be reached", async () => {
    for (const path of [nobody, "/health/ready"]) {
      const answer = await down.get(path)
      assert.deepStrictEqual(formOf(answer), failure(503, "service_unavailable"))
      assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/)
      assert.notInclude(answer.text, "hunter2")
    }
  })
})

describe("the request id", () => {
  it("is the caller's when it is sane", async () => {
    for (const id of ["a", "order-7.retry_2", "x".repeat(128)]) {
      const { headers } = await service.send("/health/live", { headers: { "x-request-id": id } })
      assert.strictEqual(headers.get("x-request-id"), id)
    }
  })

  it("is a new one when it is not", async () => {
    for (const id of ["", "two words", "x".repeat(129), "<script>", "a\tb", "ä"]) {
      const { headers } = await service.send("/health/live", { headers: { "x-request-id": id } })
      assert.match(headers.get("x-request-id") ?? "", UUID_V7)
    }
  })

  it("is on every answer", async () => {
    for (const answer of [
      await service.get(at),
      await service.get("/nothing"),
      await service.send(at),
      await service.send("/metrics"),
      await service.delete(`${at}/${(await service.post(at, Records.store)).body.id}`),
    ]) {
      assert.match(answer.headers.get("x-request-id") ?? "", UUID_V7)
    }
  })
})

describe("the log", () => {
  it("has one line for a request, with who asked for what and what came of it", async () => {
    const { body: store } = await service.post(at, Records.store)
    const { headers } = await service.get(`${at}?q=private`)
    const lines = service.logged.filter(({ annotations }) => annotations["request_id"] === headers.get("x-request-id"))
    assert.lengthOf(lines, 1)
    assert.deepInclude(lines[0], { level: "INFO", message: `GET ${at} 200` })
    const annotations = lines[0]?.["annotations"]
    assert.deepInclude(annotations, { method: "GET", path: at, status: 200, account_id: store.account_id })
    assert.isNumber(annotations.duration_ms)
    assert.notInclude(JSON.stringify(lines), "private")
  })

  it("never has a key", async () => {
    await service.get(at)
    await service.send(at, { headers: { "x-api-key": `tc_${"1".repeat(64)}` } })
    assert.notInclude(JSON.stringify(service.logged), service.key)
    assert.notInclude(JSON.stringify(service.logged), "1".repeat(64))
  })

  it("has no line where it is switched off", async () => {
    await down.get(at)
    assert.isEmpty(down.logged.filter(({ level }) => level === "INFO"))
  })
})
