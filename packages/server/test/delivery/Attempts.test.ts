import { assert, describe, it } from "@effect/vitest"
import { Event, Id, SigningSecrets } from "@tc/domain"
import { Secret, verify } from "@tc/webhooks"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Attempts, type Target } from "../../src/Attempts.ts"
import { defaults, DeliverySettings, type Settings } from "../../src/DeliverySettings.ts"
import * as UndiciSender from "../../src/node/UndiciSender.ts"
import * as SecretBox from "../../src/SecretBox.ts"
import * as Servers from "./Servers.ts"
import * as World from "./World.ts"

const secret = Secret.make()
const account_id = Id.AccountId.id.make("0198a3f0-7c1e-7b6a-9d55-000000000001")
const endpoint_id = Id.WebhookEndpointId.id.make("0198a3f0-7c1e-7b6a-9d55-000000000002")
const id = Id.DeliveryId.id.make("0198a3f0-7c1e-7b6a-9d55-000000000003")
const tail = Event.tail({ event: "asset.created", data: { name: "Étoile" } }, account_id, "2026-11-21T09:00:00.000Z")

const box = SecretBox.layer(new Uint8Array(32))
const settings = (some: Partial<Settings> = {}) => Layer.succeed(DeliverySettings, { ...defaults, ...some })

/** What is to be sent, with its secret as it is stored. */
const target = (some: Partial<Target> = {}, plain = secret) =>
  Effect.gen(function* () {
    const { encrypt } = yield* SecretBox.SecretBox
    const stored = yield* encrypt(plain, { account_id, endpoint_id })
    const url = "https://receiver.example/hook"
    return { account_id, endpoint_id, id, event: "asset.created", tail, url, secret: stored, ...some }
  })

const make = (some?: Partial<Target>, plain?: string) =>
  Effect.gen(function* () {
    const attempts = yield* Attempts
    return yield* attempts.make(yield* target(some, plain))
  })

const layer = (receivers: ReturnType<typeof World.receivers>, some?: Partial<Settings>) =>
  Attempts.layer.pipe(Layer.provide(receivers.layer), Layer.provideMerge(box), Layer.provide(settings(some)))

/** Attempts, and how many secrets were decrypted for them. */
const counting = () => {
  let decrypted = 0
  const counted = Layer.effect(
    SecretBox.SecretBox,
    Effect.map(SecretBox.SecretBox, (box) => ({
      ...box,
      decrypt: (...given) =>
        Effect.andThen(
          Effect.sync(() => (decrypted += 1)),
          box.decrypt(...given),
        ),
    })),
  ).pipe(Layer.provide(box))
  const { layer: sender } = World.receivers(() => World.ok)
  const layer = Attempts.layer.pipe(Layer.provide(sender), Layer.provideMerge(counted), Layer.provide(settings()))
  return { decrypted: () => decrypted, layer }
}

describe("an attempt", () => {
  it.effect("sends the delivery's id in front of the kept text, as it is", () => {
    const receivers = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      yield* make()
      assert.strictEqual(new TextDecoder().decode(receivers.seen[0]?.body), `{"id":"${id}",${tail}`)
    }).pipe(Effect.provide(layer(receivers)))
  })
  it.effect("is verified by the receiver's half of the library", () => {
    const receivers = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-21T10:00:00Z"))
      yield* make()
      const [request] = receivers.seen
      assert.isDefined(request)
      const now = Date.parse("2026-11-21T10:00:30Z")
      const verified = yield* Effect.promise(() => verify(request, secret, { now }))
      assert.isTrue(verified.ok)
    }).pipe(Effect.provide(layer(receivers)))
  })
  it.effect("carries the brand that is set", () => {
    const receivers = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      yield* make()
      const headers = receivers.seen[0]?.headers
      assert.strictEqual(headers?.["User-Agent"], "Acme-Webhooks/1.0")
      assert.strictEqual(headers?.["X-Acme-Delivery"], id)
      assert.strictEqual(headers?.["X-Acme-Event"], "asset.created")
    }).pipe(Effect.provide(layer(receivers, { brand: "Acme" })))
  })
  it.effect("is signed with the new secret once it has been replaced", () => {
    const receivers = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      const replaced = Secret.make()
      yield* make()
      yield* make({}, replaced)
      const results = yield* Effect.forEach(receivers.seen, (request) =>
        Effect.promise(() => verify(request, replaced, { now: 0 })),
      )
      assert.deepStrictEqual(
        results.map(({ ok }) => ok),
        [false, true],
      )
    }).pipe(Effect.provide(layer(receivers)))
  })
  it.effect("is none when the secret was stored for another endpoint, even one just used", () => {
    const receivers = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      const own = yield* target()
      const { make } = yield* Attempts
      yield* make(own)
      const stranger = Id.AccountId.id.make("0198a3f0-7c1e-7b6a-9d55-00000000000f")
      const failure = yield* Effect.flip(make({ ...own, account_id: stranger }))
      assert.strictEqual(failure._tag, "UnreadableSecret")
      assert.strictEqual(receivers.seen.length, 1)
    }).pipe(Effect.provide(layer(receivers)))
  })
  it.effect("is signed with keys that are made once, whoever else has an endpoint of the same id", () => {
    const { decrypted, layer } = counting()
    return Effect.gen(function* () {
      const { encrypt } = yield* SecretBox.SecretBox
      const { make } = yield* Attempts
      const stranger = Id.AccountId.id.make("0198a3f0-7c1e-7b6a-9d55-00000000000f")
      const stored = yield* encrypt(Secret.make(), { account_id: stranger, endpoint_id })
      const [mine, theirs] = [yield* target(), yield* target({ account_id: stranger, secret: stored })]
      for (const one of [mine, theirs, mine, theirs]) yield* make(one)
      assert.strictEqual(decrypted(), 2)
    }).pipe(Effect.provide(layer))
  })
  it.effect("is signed with keys that are made once during an overlap too, and at its end", () => {
    const { decrypted, layer } = counting()
    return Effect.gen(function* () {
      const { make } = yield* Attempts
      const [old, next] = [yield* target(), yield* target({}, Secret.make())]
      const rotated = SigningSecrets.rotate(old.secret, next.secret, 0, 1_000) ?? ""
      for (const millis of [0, 999, 1, 1_000]) {
        yield* TestClock.adjust(millis)
        yield* make({ ...old, secret: rotated })
      }
      assert.strictEqual(decrypted(), 2)
    }).pipe(Effect.provide(layer))
  })
  it.effect("is none when an older secret that signs cannot be read, and does without it once it has ended", () => {
    const receivers = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      const { make } = yield* Attempts
      const next = yield* target()
      const rotated = { ...next, secret: SigningSecrets.rotate("v1:damaged", next.secret, 0, 1_000) ?? "" }
      assert.strictEqual((yield* Effect.flip(make(rotated)))._tag, "UnreadableSecret")
      yield* TestClock.adjust(1_000)
      assert.strictEqual((yield* make(rotated)).status_code, 200)
    }).pipe(Effect.provide(layer(receivers)))
  })
  it.live("goes over the wire as it was signed", () =>
    Effect.gen(function* () {
      const verified: Array<unknown> = []
      const server = yield* Servers.http(({ headers }, response, body) => {
        void verify({ headers, body }, secret).then((result) => {
          verified.push(result.ok)
          return response.end()
        })
      })
      const answer = yield* make({ url: `http://127.0.0.1:${server.port}/` })
      assert.strictEqual(answer.status_code, 200)
      assert.deepStrictEqual(verified, [true])
    }).pipe(
      Effect.provide(
        Attempts.layer.pipe(
          Layer.provide(UndiciSender.layer()),
          Layer.provideMerge(box),
          Layer.provide(settings({ allow_private: true })),
        ),
      ),
    ),
  )
})
