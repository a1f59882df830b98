/** Endpoints and deliveries, as people work with them in the dashboard. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { invited, owner, type Person, receivers, start, stranger } from "./World.ts"

const input = { url: "https://a.example/hook", events: ["asset.created"], description: "Order desk" }

/** An owner with an endpoint, and what its receiver was sent. */
const begin = Effect.fnUntraced(function* (status_code?: number) {
  const receiver = receivers(status_code)
  const world = yield* start({}, receiver.layer)
  const ada = yield* owner(world)
  const { body: endpoint } = yield* Effect.promise(() => ada.post("webhook_endpoints", input))
  return { world, ada, endpoint, at: `webhook_endpoints/${endpoint.id}`, sent: receiver.sent }
})

const actions = async (person: Person) => {
  const { body } = await person.ask("audit")
  return body.data.map(({ action, subject }: Readonly<Record<string, string>>) => `${action} ${subject}`)
}

/** Makes an event happen, and waits until its delivery has ended. */
const happen = async ({ ada, endpoint, status }: { ada: Person; endpoint: { id: string }; status: string }) => {
  for (;;) {
    const { body } = await ada.ask(`deliveries?endpoint_id=${endpoint.id}`)
    const [delivery] = body.data
    if (delivery?.status === status) return delivery
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe("an endpoint", () => {
  it.live("shows its secret when it is made, and then to whom asks for it, which is noted", () =>
    Effect.gen(function* () {
      const { ada, at, endpoint } = yield* begin()
      const { list, one, revealed, log } = yield* Effect.promise(async () => ({
        list: await ada.ask("webhook_endpoints"),
        one: await ada.ask(at),
        revealed: await ada.post(`${at}/reveal_secret`),
        log: await actions(ada),
      }))
      assert.match(endpoint.secret, /^whsec_/)
      assert.notInclude(JSON.stringify([list.body, one.body]), 'secret":')
      assert.strictEqual(revealed.body.secret, endpoint.secret)
      assert.deepStrictEqual(log.slice(0, 2), [`secret.revealed ${input.url}`, `webhook_endpoint.created ${input.url}`])
    }),
  )

  it.live("is changed, disabled, enabled, given another secret and deleted, all of it noted", () =>
    Effect.gen(function* () {
      const { ada, at, endpoint } = yield* begin()
      const { answers, log } = yield* Effect.promise(async () => ({
        answers: [
          await ada.ask(at, { method: "PATCH", body: { description: "Printer", events: ["*"] } }),
          await ada.ask(at, { method: "PATCH", body: { status: "disabled" } }),
          await ada.ask(at, { method: "PATCH", body: { status: "active" } }),
          await ada.post(`${at}/rotate_secret`, { overlap_seconds: 60 }),
          await ada.post(`${at}/recover`, { since: "2026-11-01T00:00:00Z" }),
          await ada.ask(`${at}/recoveries`),
          await ada.ask(at, { method: "DELETE" }),
          await ada.ask(at),
        ],
        log: await actions(ada),
      }))
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200, 202, 200, 204, 404],
      )
      assert.notStrictEqual(answers[3]?.body.secret, endpoint.secret)
      const words = log.map((line: string) => line.split(" ")[0])
      assert.deepStrictEqual(words.slice(0, 6), [
        "webhook_endpoint.deleted",
        "webhook_endpoint.recovered",
        "secret.rotated",
        "webhook_endpoint.enabled",
        "webhook_endpoint.disabled",
        "webhook_endpoint.updated",
      ])
    }),
  )

  it.live("is refused with a target that no webhook may go to", () =>
    Effect.gen(function* () {
      const { ada, at } = yield* begin()
      const { made, moved } = yield* Effect.promise(async () => ({
        made: await ada.post("webhook_endpoints", { ...input, url: "https://127.0.0.1/hook" }),
        moved: await ada.ask(at, { method: "PATCH", body: { url: "http://a.example/" } }),
      }))
      for (const { status, body } of [made, moved]) assert.deepStrictEqual([status, body.errors[0].path], [422, "/url"])
    }),
  )

  it.live("is sent a test with what somebody wrote, and the outcome comes back", () =>
    Effect.gen(function* () {
      const { ada, at, sent } = yield* begin(500)
      const data = { id: "made up", note: "<b>" }
      const { sample, own, wrong } = yield* Effect.promise(async () => ({
        sample: await ada.post(`${at}/test`, { event: "store.created" }),
        own: await ada.post(`${at}/test`, { event: "store.created", data }),
        wrong: await ada.post(`${at}/test`, { event: "store.created", data: [1] }),
      }))
      assert.deepInclude(own.body, { event: "store.created", status_code: 500, response_excerpt: "noted" })
      const bodies = sent.map(({ body }) => JSON.parse(new TextDecoder().decode(body)).data)
      assert.deepStrictEqual([sample.status, bodies.length, bodies[1]], [200, 2, data])
      assert.deepStrictEqual([wrong.status, wrong.body.errors[0].path], [422, "/data"])
    }),
  )

  it.live("is nothing to a viewer but a thing to look at, and nothing at all to another account", () =>
    Effect.gen(function* () {
      const { ada, at, world } = yield* begin()
      const [viewer, eve] = [yield* invited(world, ada, "viewer", "joan@example.com"), yield* stranger(world)]
      const tried = (person: Person) =>
        Effect.promise(async () => [
          (await person.ask(at)).status,
          (await person.post(`${at}/reveal_secret`)).status,
          (await person.post(`${at}/rotate_secret`)).status,
          (await person.post(`${at}/test`, { event: "store.created" })).status,
          (await person.post(`${at}/recover`, { since: "2026-11-01T00:00:00Z" })).status,
          (await person.ask(at, { method: "PATCH", body: { status: "disabled" } })).status,
          (await person.ask(at, { method: "DELETE" })).status,
        ])
      assert.deepStrictEqual(yield* tried(viewer), [200, 403, 403, 403, 403, 403, 403])
      assert.deepStrictEqual(yield* tried(eve), [404, 404, 404, 404, 404, 404, 404])
    }),
  )
})

describe("a delivery", () => {
  it.live("is listed, shown with its attempts and the very body that was sent, and sent again", () =>
    Effect.gen(function* () {
      const { ada, endpoint, sent, world } = yield* begin()
      const { body: key } = yield* Effect.promise(() => ada.post("api_keys", { name: "Shop", scopes: ["write"] }))
      yield* Effect.promise(() =>
        fetch(`${world.origin}/api/v1/assets`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-api-key": key.key },
          body: JSON.stringify({ name: "Star", asset_type: "clipart" }),
        }),
      )
      const found = yield* Effect.promise(() => happen({ ada, endpoint, status: "succeeded" }))
      const { shown, again, none, early, late, log } = yield* Effect.promise(async () => ({
        shown: await ada.ask(`deliveries/${found.id}`),
        again: await ada.post(`deliveries/${found.id}/retry`),
        none: await ada.ask("deliveries?status=failed"),
        early: await ada.ask(`deliveries?until=${new Date(Date.parse(found.created_at) - 1_000).toISOString()}`),
        late: await ada.ask(`deliveries?since=${found.created_at}&event=asset.created`),
        log: await actions(ada),
      }))
      assert.strictEqual(shown.body.body, new TextDecoder().decode(sent[0]?.body))
      assert.deepInclude(shown.body.attempts[0], { number: 1, status_code: 200, response_excerpt: "noted" })
      assert.deepStrictEqual([again.status, none.body.meta.total], [200, 0])
      assert.deepStrictEqual([early.body.meta.total, late.body.meta.total], [0, 1])
      assert.strictEqual(log[0], "delivery.retried asset.created")
      const eve = yield* stranger(world)
      const { theirs, list } = yield* Effect.promise(async () => ({
        theirs: await eve.ask(`deliveries/${found.id}`),
        list: await eve.ask("deliveries"),
      }))
      assert.deepStrictEqual([theirs.status, list.body.meta.total], [404, 0])
    }),
  )
})

it.live("the catalogue has every event, with what it means and may carry", () =>
  Effect.gen(function* () {
    const { ada } = yield* begin()
    const { body } = yield* Effect.promise(() => ada.ask("event_types"))
    assert.lengthOf(body.data, 42)
    assert.hasAllKeys(body.data[0], ["name", "description", "sample"])
  }),
)
