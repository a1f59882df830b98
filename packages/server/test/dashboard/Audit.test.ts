/** Nothing is done in the dashboard of which the audit log would not know. */
import { assert, it } from "@effect/vitest"
import type { ApiKey } from "@tc/domain"
import { AuditLog, layerMemory, Unavailable } from "@tc/store"
import { Effect, Layer, References, Schedule } from "effect"
import { invited, key, owner, PASSWORD, Person, receivers, start } from "./World.ts"

const full = Effect.die(new Unavailable({ cause: "the log is full" }))

/** A storage whose audit log can be had refuse all that is to be noted. */
const breaking = () => {
  const state = { isBroken: false }
  const layer = Layer.effect(
    AuditLog,
    Effect.map(AuditLog, ({ append, noted, ...log }) => ({
      ...log,
      append: (entry) => Effect.suspend(() => (state.isBroken ? full : append(entry))),
      noted: (change, tell) => Effect.suspend(() => (state.isBroken ? full : noted(change, tell))),
    })),
  ).pipe(Layer.provideMerge(layerMemory))
  return { state, layer }
}

/** All that a page can see. */
const seen = async (person: Person) =>
  JSON.stringify(
    await Promise.all(
      ["session", "members", "invitations", "audit", "api_keys", "webhook_endpoints", "deliveries"].map(
        async (path) => (await person.ask(path)).body,
      ),
    ),
  )

it.live("what cannot be noted is not done", () =>
  Effect.gen(function* () {
    const { state, layer } = breaking()
    const world = yield* start({}, receivers().layer, {}, layer)
    const ada = yield* owner(world)
    yield* invited(world, ada, "developer", "grace@example.com")
    const { key: given } = yield* key(world, ["write"])
    const made = yield* Effect.promise(async () => {
      const { body: endpoint } = await ada.post("webhook_endpoints", { url: "https://a.example/", events: ["*"] })
      const { body: invitation } = await ada.post("invitations", { role: "viewer" })
      const { body: api_key } = await ada.post("api_keys", { name: "Key", scopes: ["read"] })
      await fetch(`${world.origin}/api/v1/assets`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": given },
        body: JSON.stringify({ name: "Star", asset_type: "clipart" }),
      })
      const [, grace] = (await ada.ask("members")).body.data
      return { endpoint, invitation, api_key, grace }
    })
    const delivery = yield* Effect.promise(async () => (await ada.ask("deliveries")).body.data[0]).pipe(
      Effect.repeat({ until: (one) => one?.status === "succeeded", schedule: Schedule.spaced("20 millis") }),
    )
    // That a key was used is written beside the request that used it.
    const keys = async (): Promise<ReadonlyArray<ApiKey.ApiKey>> => (await ada.ask("api_keys")).body.data
    yield* Effect.promise(keys).pipe(
      Effect.repeat({
        until: (all) => all.some(({ last_used_at }) => last_used_at !== null),
        schedule: Schedule.spaced("20 millis"),
      }),
    )
    const endpoint = `webhook_endpoints/${made.endpoint.id}`
    const calls: ReadonlyArray<readonly [method: string, path: string, body?: object]> = [
      ["POST", "api_keys", { name: "Other", scopes: ["read"] }],
      ["POST", `api_keys/${made.api_key.id}/rotate`, { overlap_seconds: 0 }],
      ["POST", `api_keys/${made.api_key.id}/revoke`],
      ["POST", "webhook_endpoints", { url: "https://b.example/", events: ["*"] }],
      ["PATCH", endpoint, { description: "Changed" }],
      ["POST", `${endpoint}/reveal_secret`],
      ["POST", `${endpoint}/rotate_secret`, {}],
      ["POST", `${endpoint}/recover`, { since: new Date(Date.now() - 60_000).toISOString() }],
      ["POST", `deliveries/${delivery.id}/retry`],
      ["DELETE", endpoint],
      ["POST", "invitations", { role: "viewer" }],
      ["DELETE", `invitations/${made.invitation.id}`],
      ["PATCH", `members/${made.grace.id}`, { role: "viewer" }],
      ["POST", `members/${made.grace.id}/password_reset`],
      ["DELETE", `members/${made.grace.id}`],
      ["POST", "session/password", { current: PASSWORD, password: "a much better password" }],
    ]
    const bob = { token: made.invitation.token, email: "bob@example.com", name: "Bob", password: PASSWORD }
    const { before, after, statuses, others } = yield* Effect.promise(async () => {
      const before = await seen(ada)
      state.isBroken = true
      const statuses: Array<string> = []
      for (const [method, path, body] of calls) {
        statuses.push(`${method} ${path} ${(await ada.ask(path, { method, body })).status}`)
      }
      const others = [
        await new Person(world.origin).post("sign_ups", bob),
        await new Person(world.origin).post("session", { email: "ada@example.com", password: PASSWORD }),
      ]
      state.isBroken = false
      return { before, after: await seen(ada), statuses, others }
    })
    assert.deepStrictEqual(
      statuses,
      calls.map(([method, path]) => `${method} ${path} 503`),
    )
    assert.deepStrictEqual(
      others.map(({ status, headers }) => [status, headers.getSetCookie()]),
      [
        [503, []],
        [503, []],
      ],
    )
    assert.strictEqual(after, before)
    // Each of these failures would be told of at length.
  }).pipe(Effect.provideService(References.MinimumLogLevel, "Fatal")),
)
