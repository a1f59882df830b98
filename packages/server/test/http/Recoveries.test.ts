import { afterAll, assert, describe, it } from "@effect/vitest"
import { Recovery } from "@tc/domain"
import { Recoveries } from "@tc/store"
import { Effect, Schema } from "effect"
import * as Records from "./Records.ts"
import { type Json, start } from "./Service.ts"

const service = await start()
afterAll(service.stop)

const since = "2026-11-01T00:00:00Z"
const endpoint = async (more: object = {}): Promise<string> => {
  const { body } = await service.post("/api/v1/webhook_endpoints", { ...Records.endpoint, ...more })
  return `/api/v1/webhook_endpoints/${body.id}`
}
const recover = (at: string, body: Json = { since }, as?: string) => service.post(`${at}/recover`, body, as)

/** Does what there is to do. */
const work = () =>
  service.run(
    Effect.gen(function* () {
      const { advance, claim } = yield* Recoveries
      const bounds = { limit: 100, max_open: 100, settle_ms: -1_000, rest_ms: 0 }
      for (;;) {
        const claimed = yield* claim(60_000)
        if (claimed === null) return
        yield* advance(claimed, bounds)
      }
    }),
  )

describe("recover", () => {
  it("is accepted, and answers with the recovery and where it is", async () => {
    const at = await endpoint({ events: ["asset.created"] })
    const { body, headers, status } = await recover(at)
    assert.strictEqual(status, 202)
    assert.isTrue(Schema.is(Recovery.Recovery)(body))
    assert.deepInclude(body, { status: "pending", since: "2026-11-01T00:00:00.000Z", events: ["asset.created"] })
    assert.isAtMost(Date.parse(body.created_at) - Date.parse(body.until), 1_000)
    assert.strictEqual(headers.get("location"), `${at}/recoveries/${body.id}`)
    assert.deepStrictEqual((await service.get(headers.get("location")!)).body, body)
    const list = await service.get(`${at}/recoveries`)
    assert.deepStrictEqual(list.body, { data: [body], meta: { page: 1, per_page: 20, total: 1, total_pages: 1 } })
  })

  it("takes names of events, all of them as a star, and null for what is left out", async () => {
    for (const [events, taken] of [
      ["*", ["*"]],
      [["font.created"], ["font.created"]],
      [null, Records.endpoint.events],
    ] as const) {
      const { body } = await recover(await endpoint(), { since, until: null, events })
      assert.deepStrictEqual(body.events, taken)
    }
  })

  it("is refused with every field that is wrong", async () => {
    const at = await endpoint()
    for (const [body, ...paths] of [
      [{}, "/since"],
      [{ since: "yesterday", events: ["design.exploded"] }, "/since", "/events/0"],
      [{ since, until: "2026-10-31T00:00:00Z" }, "/since"],
      [{ since, until: "2126-11-01T00:00:00Z" }, "/until"],
      [{ since: "2126-11-01T00:00:00Z", until: "2126-11-02T00:00:00Z" }, "/since", "/until"],
    ] as const) {
      const { body: refused, status } = await recover(at, body)
      assert.strictEqual(status, 422, JSON.stringify(body))
      assert.deepStrictEqual(
        refused.errors.map(({ path }: Json) => path),
        paths,
      )
    }
  })

  it("is refused for an endpoint that is not active, and while another recovery is under way", async () => {
    const refusal = async (at: string) => {
      const { body, status } = await recover(at)
      return [status, body.code]
    }
    assert.deepStrictEqual(await refusal(await endpoint({ status: "disabled" })), [409, "endpoint_not_active"])
    const at = await endpoint()
    await recover(at)
    assert.deepStrictEqual(await refusal(at), [409, "recovery_in_progress"])
    await work()
    assert.strictEqual((await recover(at)).status, 202)
  })

  it("needs the scope write, and to see recoveries the scope read", async () => {
    const at = await endpoint()
    const reader = await service.keyOf("default", { scopes: ["read"] })
    const writer = await service.keyOf("default", { scopes: ["write"] })
    assert.strictEqual((await recover(at, { since }, reader)).status, 403)
    const { body } = await recover(at, { since }, writer)
    for (const path of [`${at}/recoveries`, `${at}/recoveries/${body.id}`]) {
      assert.strictEqual((await service.get(path, undefined, writer)).status, 403)
      assert.strictEqual((await service.get(path, undefined, reader)).status, 200)
    }
  })

  it("finds no endpoint of another account, and no recovery of another endpoint", async () => {
    const [at, other] = [await endpoint(), await endpoint()]
    const { body } = await recover(at)
    const stranger = await service.keyOf("another")
    assert.strictEqual((await recover(at, { since }, stranger)).status, 404)
    for (const path of [`${at}/recoveries`, `${at}/recoveries/${body.id}`]) {
      assert.strictEqual((await service.get(path, undefined, stranger)).status, 404)
    }
    assert.strictEqual((await service.get(`${other}/recoveries/${body.id}`)).status, 404)
    assert.strictEqual((await service.get(`${at}/recoveries/${Records.nobody}`)).status, 404)
  })
})
