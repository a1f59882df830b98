import { assert, it } from "@effect/vitest"
import { Id, WebhookEndpoint } from "@tc/domain"
import { Accounts, layerMemory, WebhookEndpoints } from "@tc/store"
import { Effect, Layer, Logger, Schema } from "effect"
import { SecretBox, layer as boxOf } from "../src/SecretBox.ts"
import * as SecretCheck from "../src/SecretCheck.ts"

const key = (byte: number) => new Uint8Array(32).fill(byte)
const decode = Schema.decodeUnknownSync(WebhookEndpoint.resource.create)

/** An account with an endpoint whose secret was stored under a key. */
const stored = Effect.gen(function* () {
  const { id: account_id } = yield* (yield* Accounts).ensure("default")
  const id = Id.WebhookEndpointId.id.make(crypto.randomUUID())
  const secret = yield* (yield* SecretBox).encrypt("whsec_a", { account_id, endpoint_id: id })
  const input = decode({ url: "https://receiver.example", events: "*" })
  yield* (yield* WebhookEndpoints).create(account_id, { ...input, id, secret })
  return { account_id, id }
}).pipe(Effect.provide(boxOf(key(1))))

/** What is said of it at a start with another key, or the same, perhaps after its secret was replaced. */
const said = Effect.fnUntraced(function* (byte: number, isReplaced = false) {
  const lines: Array<string> = []
  const log = Logger.layer([Logger.map(Logger.formatSimple, (line) => void lines.push(line))])
  const { account_id, id } = yield* stored
  if (isReplaced) {
    const next = yield* SecretBox.use((box) => box.encrypt("whsec_b", { account_id, endpoint_id: id })).pipe(
      Effect.provide(boxOf(key(1))),
    )
    yield* (yield* WebhookEndpoints).modify(account_id, id, WebhookEndpoint.rotate(next, 60))
  }
  yield* SecretCheck.run(account_id).pipe(Effect.provide(Layer.merge(boxOf(key(byte)), log)))
  return { id, text: lines.join() }
}, Effect.provide(layerMemory))

it.effect("a secret that was stored under another key is told of, with its endpoint", () =>
  Effect.gen(function* () {
    const { id, text } = yield* said(2)
    assert.include(text, `The secret of endpoint ${id} cannot be decrypted: TC_SECRET_KEY`)
    assert.notInclude(text, "whsec")
  }),
)

it.effect("one that can be read is not, nor is one that was replaced", () =>
  Effect.gen(function* () {
    assert.strictEqual((yield* said(1)).text, "")
    assert.strictEqual((yield* said(1, true)).text, "")
  }),
)
