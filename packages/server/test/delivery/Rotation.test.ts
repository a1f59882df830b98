import { assert, describe, it } from "@effect/vitest"
import { OpenApi } from "@tc/api"
import { verify } from "@tc/webhooks/verify"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { Webhook } from "standardwebhooks"
import * as World from "./World.ts"

const URL = "https://a.example/"
const HOUR = 3_600_000

/** Whether a receiver that knows a secret takes a POST: with our own `verify`, and with the library of Standard Webhooks. */
const takes = Effect.fnUntraced(function* (seen: World.Seen, secret: string) {
  const now = Number(seen.headers["webhook-timestamp"]) * 1_000
  const result = yield* Effect.promise(() => verify(seen, secret, { now }))
  const library = yield* Effect.exit(
    Effect.sync(() => new Webhook(secret).verify(new TextDecoder().decode(seen.body), { ...seen.headers })),
  )
  assert.strictEqual(library._tag === "Success", result.ok, "both agree")
  return result.ok
})

/** Which of some secrets each POST is signed with. */
const signed = (seen: ReadonlyArray<World.Seen>, secrets: Readonly<Record<string, string>>) =>
  Effect.forEach(seen, (one) =>
    Effect.map(
      Effect.filter(Object.entries(secrets), ([, secret]) => takes(one, secret)),
      (fitting) => fitting.map(([name]) => name),
    ),
  )

/** The library cannot be told the time, so it is the real one here when a test begins. */
const provide =
  <A, E, ROut>(layer: Layer.Layer<ROut>) =>
  (test: Effect.Effect<A, E, ROut>) =>
    Effect.andThen(TestClock.setTime(Date.now()), Effect.provide(test, layer))

const begin = Effect.gen(function* () {
  const account_id = yield* World.account
  const endpoint = yield* World.endpoint(account_id, URL)
  return { account_id, endpoint, old: endpoint.secret }
})

/** What the document says that headers look like. */
const documented = (
  JSON.parse(JSON.stringify(OpenApi.document())).webhooks["asset.created"].post.parameters as ReadonlyArray<{
    readonly name: string
    readonly schema: { readonly pattern?: string }
  }>
).flatMap(({ name, schema: { pattern } }) => (pattern === undefined ? [] : [[name, new RegExp(pattern, "u")] as const]))

/** A POST with only the first signature of each header. */
const first = (seen: World.Seen) => ({
  ...seen,
  headers: {
    ...seen.headers,
    "X-Service-Signature": seen.headers["X-Service-Signature"]?.split(",")[0] ?? "",
    "webhook-signature": seen.headers["webhook-signature"]?.split(" ")[0] ?? "",
  },
})

/** Lets something happen, and what starts by it start. */
const happen = (...given: Parameters<typeof World.happen>) =>
  Effect.andThen(World.happen(...given), TestClock.adjust(0))

describe("a delivery to an endpoint whose secret is replaced", () => {
  it.effect(
    "is signed with both secrets to the last millisecond of the overlap, and with the new one from then on",
    () => {
      const receivers = World.receivers(() => World.ok)
      return Effect.gen(function* () {
        const { account_id, endpoint, old } = yield* begin
        yield* happen(account_id)
        const next = yield* World.rotate(endpoint, 60)
        yield* happen(account_id)
        yield* TestClock.adjust(59_999)
        yield* happen(account_id)
        yield* TestClock.adjust(1)
        yield* happen(account_id)
        assert.deepStrictEqual(yield* signed(receivers.seen, { old, next }), [
          ["old"],
          ["old", "next"],
          ["old", "next"],
          ["next"],
        ])
      }).pipe(provide(World.layer(receivers.layer)))
    },
  )

  it.effect("lists the new signature first in either header, and a single one where there is no overlap", () => {
    const receivers = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      const { account_id, endpoint, old } = yield* begin
      const next = yield* World.rotate(endpoint, 60)
      yield* happen(account_id)
      const last = yield* World.rotate(endpoint, 0)
      yield* happen(account_id)
      const [during, after] = receivers.seen.map(({ headers }) => headers)
      for (const [name, pattern] of documented) {
        for (const headers of [during, after]) assert.match(headers?.[name] ?? "", pattern)
      }
      assert.match(during?.["X-Service-Signature"] ?? "", /^sha256=[0-9a-f]{64},sha256=[0-9a-f]{64}$/)
      assert.match(during?.["webhook-signature"] ?? "", /^v1,[\w+/]{43}= v1,[\w+/]{43}=$/)
      assert.match(after?.["X-Service-Signature"] ?? "", /^sha256=[0-9a-f]{64}$/)
      assert.match(after?.["webhook-signature"] ?? "", /^v1,[\w+/]{43}=$/)
      assert.deepStrictEqual(yield* signed(receivers.seen.map(first), { old, next, last }), [["next"], ["last"]])
    }).pipe(provide(World.layer(receivers.layer)))
  })

  it.effect("is signed with all secrets that are replaced one after the other, each until its own end", () => {
    const receivers = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      const { account_id, endpoint, old } = yield* begin
      const lost = yield* World.rotate(endpoint, 120)
      const next = yield* World.rotate(endpoint, 60)
      yield* happen(account_id)
      yield* TestClock.adjust(60_000)
      yield* happen(account_id)
      yield* TestClock.adjust(60_000)
      yield* happen(account_id)
      assert.deepStrictEqual(yield* signed(receivers.seen, { old, lost, next }), [
        ["old", "lost", "next"],
        ["old", "next"],
        ["next"],
      ])
    }).pipe(provide(World.layer(receivers.layer)))
  })

  it.effect("is signed anew at each attempt, also when it was born before", () => {
    const receivers = World.receivers(() => World.down)
    return Effect.gen(function* () {
      const { account_id, endpoint, old } = yield* begin
      yield* happen(account_id)
      const next = yield* World.rotate(endpoint, 120)
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(yield* signed(receivers.seen, { old, next }), [["old"], ["old", "next"], ["next"]])
    }).pipe(provide(World.layer(receivers.layer, { schedule: [0, 60_000, 60_000] })))
  })

  it.effect("is signed with the new secret alone where there is no overlap, also when it waited already", () => {
    const receivers = World.receivers(() => Effect.delay(Effect.succeed(World.ok), "1 second"))
    return Effect.gen(function* () {
      const { account_id, endpoint, old } = yield* begin
      yield* happen(account_id, 10)
      yield* TestClock.adjust(500)
      const next = yield* World.rotate(endpoint, 0)
      yield* TestClock.adjust("10 seconds")
      const names = yield* signed(receivers.seen, { old, next })
      assert.deepStrictEqual(names, [["old"], ["old"], ...Array.from({ length: 8 }, () => ["next"])])
    }).pipe(provide(World.layer(receivers.layer, { per_endpoint: 2, poll_ms: HOUR })))
  })
})
