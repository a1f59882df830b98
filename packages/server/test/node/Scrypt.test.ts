/** Passwords as they are kept. */
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Result } from "effect"
import { createHook } from "node:async_hooks"
import { scryptSync } from "node:crypto"
import { layer, ScryptCost } from "../../src/node/Scrypt.ts"
import { type Line, Passwords } from "../../src/Passwords.ts"

/** Hashes that take little, for tests of who waits for whom. */
const cheap = Layer.provide(layer, Layer.succeed(ScryptCost, { ln: 12, r: 8, p: 1 }))

const text = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "")

describe("a password", () => {
  it.live("has another hash each time, with its own salt and cost, and is verified by either", () =>
    Effect.gen(function* () {
      const { hash, verify } = yield* Passwords
      const [one, other] = [yield* hash("correct horse"), yield* hash("correct horse")]
      assert.notStrictEqual(one, other)
      assert.match(one, /^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
      assert.isTrue(yield* verify("correct horse", one))
      assert.isTrue(yield* verify("correct horse", other))
      assert.isFalse(yield* verify("correct horsf", one))
    }).pipe(Effect.provide(layer)),
  )

  it.live("is verified at the cost that its hash names, as anybody else computes it", () =>
    Effect.gen(function* () {
      const salt = Buffer.from("0123456789abcdef")
      const key = scryptSync("older", salt, 32, { N: 2 ** 12, r: 8, p: 1 })
      const { verify } = yield* Passwords
      assert.isTrue(yield* verify("older", `$scrypt$ln=12,r=8,p=1$${text(salt)}$${text(key)}`))
    }).pipe(Effect.provide(layer)),
  )

  it.live("is the same in whatever form of Unicode it is typed", () =>
    Effect.gen(function* () {
      const { hash, verify } = yield* Passwords
      assert.isTrue(yield* verify("pa\u0301ssword", yield* hash("p\u00e1ssword")))
    }).pipe(Effect.provide(layer)),
  )

  it.live("is hashed only so many times at once, and who would wait for long is told to come back", () =>
    Effect.gen(function* () {
      const { hash } = yield* Passwords
      const results = yield* Effect.forEach(Array.from({ length: 40 }), () => Effect.result(hash("correct horse")), {
        concurrency: "unbounded",
      })
      assert.strictEqual(results.filter(Result.isSuccess).length, 32)
      assert.isTrue(Result.isSuccess(yield* Effect.result(hash("correct horse"))))
    }).pipe(Effect.provide(layer)),
  )

  it.live("of somebody who is known is verified before those of strangers who came earlier, however many", () =>
    Effect.gen(function* () {
      const { verify } = yield* Passwords
      const done: Array<string> = []
      const one = (line: Line) =>
        Effect.andThen(
          Effect.result(verify("wrong", "", line)),
          Effect.sync(() => done.push(line)),
        )
      const strangers = yield* Effect.forEach(Array.from({ length: 12 }), () =>
        Effect.forkChild(one("strangers"), { startImmediately: true }),
      )
      yield* one("known")
      yield* Effect.forEach(strangers, Fiber.join)
      // Two had begun, and another two may end at the same moment.
      assert.isAtMost(done.indexOf("known"), 4)
    }).pipe(Effect.provide(cheap)),
  )

  it.live("of somebody who is known is verified where as many strangers wait as may", () =>
    Effect.gen(function* () {
      const { verify } = yield* Passwords
      const waiting = yield* Effect.forEach(Array.from({ length: 32 }), () =>
        Effect.forkChild(Effect.result(verify("wrong", "", "strangers")), { startImmediately: true }),
      )
      assert.isTrue(Result.isFailure(yield* Effect.result(verify("wrong", "", "strangers"))))
      assert.isFalse(yield* verify("wrong", ""))
      yield* Effect.forEach(waiting, Fiber.interrupt)
    }).pipe(Effect.provide(cheap)),
  )

  it.live("is hashed to the end, in its place, where nobody waits for it any more", () =>
    Effect.gen(function* () {
      const { hash } = yield* Passwords
      const [begun, ended] = [new Set<number>(), new Set<number>()]
      const hook = createHook({
        init: (id, type) => void (type === "SCRYPTREQUEST" && begun.add(id)),
        before: (id) => void (begun.has(id) && ended.add(id)),
      }).enable()
      yield* Effect.addFinalizer(() => Effect.sync(() => hook.disable()))
      const hashing = yield* Effect.forEach([1, 2], () => Effect.forkChild(hash("correct horse")))
      while (begun.size < 2) yield* Effect.yieldNow
      yield* Fiber.interruptAll(hashing)
      assert.deepStrictEqual(ended, begun)
    }).pipe(Effect.provide(layer)),
  )

  it.live("of any length beyond is refused before anything is done with it", () =>
    Effect.gen(function* () {
      const { verify } = yield* Passwords
      const normalize = vi.spyOn(String.prototype, "normalize")
      yield* Effect.addFinalizer(() => Effect.sync(() => normalize.mockRestore()))
      const exit = yield* Effect.exit(verify("a" + "\u0301".repeat(50_000) + "\u0316".repeat(50_000), ""))
      assert.isTrue(Exit.isFailure(exit))
      assert.strictEqual(normalize.mock.calls.length, 0)
    }).pipe(Effect.provide(layer)),
  )

  it.live("is nobody's where the hash cannot be read", () =>
    Effect.gen(function* () {
      const { verify } = yield* Passwords
      for (const broken of ["", "plain", "$scrypt$ln=99,r=8,p=1$AAAA$BBBB"]) assert.isFalse(yield* verify("", broken))
    }).pipe(Effect.provide(layer)),
  )
})
