import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, type Layer } from "effect"
import { layer, SecretBox } from "../../src/SecretBox.ts"

const key = (byte: number) => new Uint8Array(32).fill(byte)
const owner = { account_id: "account", endpoint_id: "endpoint" }
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="

const encrypt = Effect.flatMap(SecretBox, (box) => box.encrypt(secret, owner))
const decrypt = (stored: string, by: Layer.Layer<SecretBox> = layer(key(1)), of = owner) =>
  Effect.flatMap(SecretBox, (box) => box.decrypt(stored, of)).pipe(Effect.provide(by), Effect.exit)

describe("a stored secret", () => {
  it.effect("opens again with the key it was stored under", () =>
    Effect.gen(function* () {
      const stored = yield* encrypt
      assert.match(stored, /^v1:[A-Za-z0-9+/]+=*$/)
      assert.deepStrictEqual(yield* decrypt(stored), Exit.succeed(secret))
    }).pipe(Effect.provide(layer(key(1)))),
  )

  it.effect("never looks the same twice", () =>
    Effect.gen(function* () {
      assert.notStrictEqual(yield* encrypt, yield* encrypt)
    }).pipe(Effect.provide(layer(key(1)))),
  )

  it.effect("opens under no other key, for no other endpoint and account, and not when it was changed", () =>
    Effect.gen(function* () {
      const stored = yield* encrypt
      const flipped = stored.slice(0, 40) + (stored[40] === "A" ? "B" : "A") + stored.slice(41)
      for (const exit of [
        yield* decrypt(stored, layer(key(2))),
        yield* decrypt(stored, layer(key(1)), { ...owner, endpoint_id: "other" }),
        yield* decrypt(stored, layer(key(1)), { ...owner, account_id: "other" }),
        yield* decrypt(flipped),
        yield* decrypt(stored.slice(0, 20)),
        yield* decrypt("v1:"),
        yield* decrypt(`v2:${stored.slice(3)}`),
        yield* decrypt(secret),
      ]) {
        assert.isTrue(Exit.hasDies(exit))
        assert.include(String(exit), "The signing secret of endpoint")
      }
    }).pipe(Effect.provide(layer(key(1)))),
  )

  it.effect("needs a key of 32 bytes", () =>
    Effect.gen(function* () {
      const exit = yield* decrypt("v1:", layer(new Uint8Array(16)))
      assert.include(String(exit), "A secret key has 32 bytes, not 16.")
    }),
  )
})
