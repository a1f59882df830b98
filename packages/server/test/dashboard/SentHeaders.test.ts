/** The headers of attempts, beside those that a receiver got. */
import { assert, describe, it } from "@effect/vitest"
import { Id } from "@tc/domain"
import { verify } from "@tc/webhooks/verify"
import { Effect } from "effect"
import { SecretBox } from "../../src/index.ts"
import * as SentHeaders from "../../src/SentHeaders.ts"
import { until } from "../blackbox/Until.ts"
import { begin, BRAND, ended, linesOf } from "./Sent.ts"
import { invited } from "./World.ts"

const delivery = {
  account_id: Id.AccountId.id.make(crypto.randomUUID()),
  id: Id.DeliveryId.id.make(crypto.randomUUID()),
  endpoint_id: Id.WebhookEndpointId.id.make(crypto.randomUUID()),
  event: "asset.created",
}

describe("the headers of an attempt", () => {
  it.live("are exactly those that its receiver got, of every attempt", () =>
    Effect.gen(function* () {
      const { ada, happen, hook } = yield* begin()
      const shown = yield* Effect.promise(async () => {
        await happen("It’s “quoted” 🖨️")
        const { id } = await ended(ada)
        // So that the two are signed for different seconds.
        await until("a second has passed", () => Date.now() > (hook.seen[0]?.at ?? 0) + 1_000)
        await ada.post(`deliveries/${id}/retry`)
        return ended(ada, 2)
      })
      assert.lengthOf(hook.seen, 2)
      for (const [nth, { headerLines }] of hook.seen.entries()) {
        assert.deepStrictEqual(linesOf(shown.attempts[nth]), headerLines)
        assert.isNull(shown.attempts[nth].unsigned)
      }
      const names = Object.keys(shown.attempts[0].headers)
      for (const name of [`X-${BRAND}-Signature`, "webhook-signature", "host"]) assert.include(names, name)
      assert.notStrictEqual(
        shown.attempts[0].headers["webhook-timestamp"],
        shown.attempts[1].headers["webhook-timestamp"],
      )
    }),
  )

  it.live("have both signatures while a secret is being replaced, and verify with either", () =>
    Effect.gen(function* () {
      const { ada, at, endpoint, happen, hook } = yield* begin()
      const { next, shown } = yield* Effect.promise(async () => {
        const { body: next } = await ada.post(`${at}/rotate_secret`, { overlap_seconds: 60 })
        await happen("Star")
        return { next, shown: await ended(ada) }
      })
      const [{ headers }] = shown.attempts
      assert.deepStrictEqual(linesOf(shown.attempts[0]), hook.seen[0]?.headerLines)
      assert.lengthOf(headers["webhook-signature"].split(" "), 2)
      for (const secret of [endpoint.secret, next.secret]) {
        const { ok } = yield* Effect.promise(() => verify({ headers, body: shown.body }, secret, { brand: BRAND }))
        assert.isTrue(ok)
      }
    }),
  )

  it.live("are without signatures, and say why, once their endpoint is deleted", () =>
    Effect.gen(function* () {
      const { ada, at, happen } = yield* begin()
      const { body } = yield* Effect.promise(async () => {
        await happen("Star")
        const { id } = await ended(ada)
        await ada.ask(at, { method: "DELETE" })
        return ada.ask(`deliveries/${id}`)
      })
      const { headers, unsigned } = body.attempts[0]
      assert.strictEqual(unsigned, "endpoint_deleted")
      assert.notMatch(Object.keys(headers).join(), /signature/i)
      assert.property(headers, "webhook-timestamp")
    }),
  )

  it.live("are made of one attempt after the other, and others have their turn between them", () =>
    Effect.gen(function* () {
      const secret = yield* (yield* SecretBox.SecretBox).encrypt(`whsec_${"A".repeat(32)}`, delivery)
      const settings = { url: "https://a.example/", secret }
      const sent = yield* SentHeaders.make({ ...delivery, body: "{}" }, settings)
      let turns = 0
      let next = setImmediate(function turn() {
        turns += 1
        next = setImmediate(turn)
      })
      yield* Effect.replicateEffect(sent({ started_at: "2026-11-22T12:00:00.000Z", settings }), 20)
      clearImmediate(next)
      assert.isAtLeast(turns, 19)
    }).pipe(Effect.provide(SecretBox.layer(new Uint8Array(SecretBox.KEY_BYTES)))),
  )

  it.live("are shown to whoever sees the delivery, a viewer too, and never with a secret", () =>
    Effect.gen(function* () {
      const { ada, endpoint, happen, world } = yield* begin()
      const grace = yield* invited(world, ada, "viewer", "grace@example.com")
      const shown = yield* Effect.promise(async () => {
        await happen("Star")
        return ended(grace)
      })
      assert.isNull(shown.attempts[0].unsigned)
      assert.notInclude(JSON.stringify(shown), endpoint.secret)
    }),
  )
})
