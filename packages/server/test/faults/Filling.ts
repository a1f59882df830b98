/** A PostgreSQL whose disk is full. */
import { assert, it } from "vitest"
import { unique } from "../blackbox/Api.ts"
import * as Receiver from "../blackbox/Receiver.ts"
import { begin, until } from "../blackbox/Until.ts"
import * as Fleet from "./Fleet.ts"
import * as Postgres from "./Postgres.ts"

/** Begins at once; the tests are the answer. */
export const filling = (receiver: Receiver.Receiver): (() => void) => {
  const run = async (fleet: Fleet.Fleet, postgres: Postgres.Postgres) => {
    const server = await fleet.start("all")
    const api = Fleet.apiOf(server)
    const { answer, hook } = Receiver.held(receiver)
    await api.create("webhook_endpoints", { url: hook.url, events: ["*"] })
    await api.create("stores", { name: unique(), platform: "swell" })
    const { body } = await until("an attempt is under way", () => hook.seen[0])
    const mend = await postgres.fill("tc.attempts", "tc.assets")
    await until("the server is ready again", async () => (await api.request("GET", "/health/ready")).status === 200)
    answer(Receiver.status(204))
    await until("its result cannot be written", () => server.log().includes("results cannot be written now"))
    const asset = { id: crypto.randomUUID(), name: unique(), asset_type: "clipart" }
    const refusals = await Promise.all([1, 2, 3].map(() => api.request("POST", "assets", asset)))
    const read = await api.request("GET", "stores")
    await mend()
    await until("the server is ready again", async () => (await api.request("GET", "/health/ready")).status === 200)
    const delivery = await until("the result is written", async () => {
      const found = await api.get(`deliveries/${body.id}`)
      return found.status === "succeeded" && found
    })
    const missing = await api.request("GET", `assets/${asset.id}`)
    const created = await api.create("assets", asset)
    await until("what is created afterwards is told of", () => hook.about(created.id)[0])
    const { code } = await server.stop()
    return {
      refusals,
      read,
      delivery,
      missing,
      code,
      sends: hook.seen.filter((seen) => seen.body.id === body.id).length,
    }
  }
  const happened = begin(() =>
    Postgres.using({}, (postgres) =>
      Fleet.using({ TC_WEBHOOK_TIMEOUT: "60s" }, postgres.url, (fleet) => run(fleet, postgres)),
    ),
  )

  return () => {
    it("503: what cannot be written is refused, and was not done", async () => {
      const { missing, refusals } = await happened()
      for (const { body, headers, status } of refusals) {
        assert.deepStrictEqual([status, body.code], [503, "service_unavailable"])
        assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      }
      assert.strictEqual(missing.status, 404)
    })

    it("is read as before", async () => {
      assert.strictEqual((await happened()).read.status, 200)
    })

    it("has the results of attempts kept until there is room, and none repeated", async () => {
      const { delivery, sends } = await happened()
      assert.deepStrictEqual([delivery.attempt_count, sends], [1, 1])
    })

    it("needs no restart of the server", async () => {
      assert.strictEqual((await happened()).code, 0)
    })
  }
}
