/** How deliveries are attempted: again and again, on time, within a deadline, and to nobody else. */
import { assert, describe, it } from "vitest"
import { type Api, unique, type Json } from "./Api.ts"
import * as Receiver from "./Receiver.ts"
import { checkSigned } from "./Signed.ts"
import { begin, until } from "./Until.ts"

const { inTurn, status } = Receiver
const RETRY_AFTER_MS = 2_000
const day = 86_400_000

/** The milliseconds between the end of each attempt and the start of the next, as they are recorded. */
const delays = ({ attempts }: Json): ReadonlyArray<number> =>
  attempts
    .slice(1)
    .map(
      (one: Json, index: number) =>
        Date.parse(one.started_at) - Date.parse(attempts[index].started_at) - attempts[index].duration_ms,
    )

/** What each attempt came to: a status, or an error. */
const codesOf = ({ attempts }: Json) => attempts.map(({ error, status_code }: Json) => error ?? status_code)

/** Whether each delay is as long as it has to be. Times are kept in whole milliseconds, twice rounded. */
const keeps = (delivery: Json, least: ReadonlyArray<number>): boolean => {
  const taken = delays(delivery)
  return taken.length === least.length && least.every((millis, index) => (taken[index] ?? 0) >= millis - 3)
}

/** In an account of its own, where nothing else happens: one event, and endpoints that each answer in their own way. */
export const attempts = (api: Api, receiver: Receiver.Receiver): void => {
  const elsewhere = receiver.hook()
  const large = "y".repeat(40_000)
  const replies = {
    retried: inTurn(status(500, { "retry-after": "3600" }), status(503, { "retry-after": "0" }), status(202)),
    redirected: inTurn(...[301, 302, 307].map((code) => status(code, { location: elsewhere.url }))),
    refusing: inTurn(...[400, 409, 404].map((code) => status(code))),
    asking: inTurn(status(503, { "retry-after": String(RETRY_AFTER_MS / 1000) }), status(200)),
    dated: inTurn((response) => {
      response.writeHead(503, { "retry-after": new Date(Date.now() + RETRY_AFTER_MS + 1_000).toUTCString() }).end()
    }, status(200)),
    gone: status(410),
    patient: status(429, { "retry-after": "100000" }),
    silent: Receiver.never,
    dripping: Receiver.dripHeaders,
    endless: Receiver.dripBody,
    resetting: Receiver.reset,
    talkative: ((response) => response.writeHead(200).end(large)) satisfies Receiver.Reply,
  }
  type Name = keyof typeof replies | "closed"

  const happened = begin(async () => {
    const hooks = Object.entries(replies).map(([name, reply]) => [name, receiver.hook(reply)] as const)
    const urls = [
      ...hooks.map(([name, { url }]) => [name, url]),
      ["closed", `http://127.0.0.1:${Receiver.CLOSED_PORT}/`],
    ]
    const endpoints = new Map<string, Json>()
    for (const [name = "", url] of urls) {
      endpoints.set(
        name,
        await api.create("webhook_endpoints", { url, events: ["asset.created"], disable_on_gone: true }),
      )
    }
    const asset = await api.create("assets", { name: unique(), asset_type: "clipart" })
    return { asset, endpoints, hooks: new Map<string, Receiver.Hook>(hooks) }
  })

  /** The delivery to an endpoint, with its attempts, once it is as far as that. */
  const deliveryTo = async (name: Name, isThere: (delivery: Json) => boolean) => {
    const { id } = (await happened()).endpoints.get(name)
    return until(`the delivery to the ${name} endpoint`, async () => {
      const { data } = await api.list(`webhook_endpoints/${id}/deliveries`)
      const delivery = data.length === 1 && (await api.get(`deliveries/${data[0].id}`))
      return delivery !== false && isThere(delivery) ? delivery : undefined
    })
  }
  const succeeded = (name: Name) => deliveryTo(name, (delivery) => delivery.status === "succeeded")
  const failed = (name: Name) => deliveryTo(name, (delivery) => delivery.status === "failed")
  const seenAt = async (name: Name) => (await happened()).hooks.get(name)?.seen ?? []

  it("go on until a 2xx, with the same id and the same bytes", async () => {
    assert.deepStrictEqual(codesOf(await succeeded("retried")), [500, 503, 202])
    const seen = await seenAt("retried")
    assert.strictEqual(seen.length, 3)
    assert.strictEqual(new Set(seen.map(({ text }) => text)).size, 1)
    assert.strictEqual(new Set(seen.map(({ headers }) => headers["x-service-delivery"])).size, 1)
  })

  it("are signed afresh, each with its time", async () => {
    await succeeded("asking")
    const seen = await seenAt("asking")
    const { secret } = (await happened()).endpoints.get("asking")
    for (const one of seen) await checkSigned(one, secret)
    const [first = 0, second = 0] = seen.map(({ headers }) => Number(headers["x-service-timestamp"]))
    assert.isAtLeast(second - first, RETRY_AFTER_MS / 1000)
    assert.strictEqual(new Set(seen.map(({ headers }) => headers["x-service-signature"])).size, 2)
  })

  it("keep the delays of the schedule, which Retry-After cannot shorten", async () => {
    assert.isTrue(keeps(await succeeded("retried"), [200, 400]))
  })

  it("wait longer where Retry-After says so", async () => {
    assert.isTrue(keeps(await succeeded("asking"), [RETRY_AFTER_MS]))
  })

  it("wait until the date that Retry-After names", async () => {
    assert.isTrue(keeps(await succeeded("dated"), [RETRY_AFTER_MS]))
  })

  it("end with 410 Gone, which disables an endpoint that wants it so", async () => {
    const delivery = await failed("gone")
    assert.deepStrictEqual(codesOf(delivery), [410])
    const { id } = (await happened()).endpoints.get("gone")
    assert.strictEqual((await api.get(`webhook_endpoints/${id}`)).status, "auto-disabled")
  })

  it("wait a day at most, whatever Retry-After says", async () => {
    const { attempts, due_at } = await deliveryTo(
      "patient",
      ({ attempt_count, status }) => attempt_count === 1 && status === "pending",
    )
    const ended = Date.parse(attempts[0].started_at) + attempts[0].duration_ms
    assert.isBelow(Math.abs(Date.parse(due_at) - ended - day), 5_000)
  })

  it("end with the last of the schedule, for good", async () => {
    const delivery = await failed("refusing")
    assert.deepStrictEqual(codesOf(delivery), [400, 409, 404])
    assert.deepStrictEqual([delivery.due_at, delivery.lease_until], [null, null])
    assert.isTrue(keeps(delivery, [200, 400]))
  })

  it("follow no redirect: 3xx is a failure", async () => {
    assert.deepStrictEqual(codesOf(await failed("redirected")), [301, 302, 307])
    assert.strictEqual(elsewhere.seen.length, 0)
  })

  it("have one deadline, for a receiver that is silent as for one that drips", async () => {
    for (const name of ["silent", "dripping"] as const) {
      const delivery = await failed(name)
      assert.deepStrictEqual(codesOf(delivery), ["timeout", "timeout", "timeout"])
      for (const { duration_ms } of delivery.attempts) assert.isAtLeast(duration_ms, 9_990)
      assert.isTrue(keeps(delivery, [200, 400]))
    }
  })

  it("need no end of the body: the status decides", async () => {
    const { attempts } = await succeeded("endless")
    assert.deepStrictEqual([attempts.length, attempts[0].status_code], [1, 200])
  })

  it("keep 16 KiB of the answer", async () => {
    const { attempts } = await succeeded("talkative")
    assert.strictEqual(attempts[0].response_excerpt, large.slice(0, 16 * 1024))
  })

  it("say what went wrong with the connection", async () => {
    assert.deepStrictEqual(
      codesOf(await failed("closed")),
      Array.from({ length: 3 }, () => "connection_refused"),
    )
    assert.deepStrictEqual(
      codesOf(await failed("resetting")),
      Array.from({ length: 3 }, () => "connection_reset"),
    )
  })

  it("that are exhausted count one against their endpoint, others none", async () => {
    await failed("refusing")
    await succeeded("retried")
    const { endpoints } = await happened()
    const countOf = async (name: Name) =>
      (await api.get(`webhook_endpoints/${endpoints.get(name).id}`)).consecutive_failures
    assert.deepStrictEqual([await countOf("refusing"), await countOf("retried")], [1, 0])
  })

  describe("by hand", () => {
    it("are made after the last, and count for nothing", async () => {
      const { id } = await failed("redirected")
      const retried = await api.act(`deliveries/${id}/retry`)
      assert.strictEqual(retried.id, id)
      assert.notProperty(retried, "attempts")
      const again = await deliveryTo(
        "redirected",
        (delivery) => delivery.attempt_count === 4 && delivery.status === "failed",
      )
      assert.strictEqual(again.attempts[3].status_code, 307)
      const { endpoints } = await happened()
      assert.strictEqual((await api.get(`webhook_endpoints/${endpoints.get("redirected").id}`)).consecutive_failures, 1)
    })

    it("are made at once while the next one waits", async () => {
      const { id } = await deliveryTo(
        "patient",
        ({ attempt_count, status }) => attempt_count === 1 && status === "pending",
      )
      const hook = (await happened()).hooks.get("patient")
      if (hook !== undefined) hook.reply = status(204)
      await api.act(`deliveries/${id}/retry`)
      assert.deepStrictEqual(codesOf(await succeeded("patient")), [429, 204])
    })

    it("are made of what has arrived, too", async () => {
      const { id } = await succeeded("talkative")
      await api.act(`deliveries/${id}/retry`)
      await deliveryTo("talkative", ({ attempt_count, status }) => attempt_count === 2 && status === "succeeded")
      const seen = await seenAt("talkative")
      assert.deepStrictEqual([seen.length, seen[1]?.text], [2, seen[0]?.text])
    })

    it("are refused while one is under way, and for an endpoint that is not active", async () => {
      const { id, endpoint_id } = await failed("silent")
      const hook = (await happened()).hooks.get("silent")
      const waiting: Array<() => void> = []
      if (hook !== undefined) hook.reply = (...given) => void waiting.push(() => status(500)(...given))
      // Where the answer comes so late that the attempt has ended, it begins another.
      await until("it is refused", async () => {
        const { body, status } = await api.request("POST", `deliveries/${id}/retry`)
        assert.include([undefined, "delivery_in_progress"], body.code)
        return status === 409
      })
      await api.modify(`webhook_endpoints/${endpoint_id}`, { status: "disabled" })
      if (hook !== undefined) hook.reply = status(500)
      for (const reply of waiting) reply()
      await deliveryTo("silent", ({ status }) => status !== "delivering")
      assert.strictEqual(await api.failure("POST", `deliveries/${id}/retry`), "409 endpoint_not_active")
    })
  })
}
