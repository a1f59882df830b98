/** The file that keeps the key of embedded storage. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import * as SecretKey from "../../src/node/SecretKey.ts"
import { SecretBox } from "../../src/SecretBox.ts"

const root = mkdtempSync(join(tmpdir(), "tc-secret-key-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const box = (data_dir: string) =>
  Effect.flatMap(SecretBox, Effect.succeed).pipe(
    Effect.provide(SecretKey.layer({ secret_key: null, storage: { kind: "embedded", data_dir } })),
  )
const owner = { account_id: "a", endpoint_id: "b" }

it.live("is made at the first start, for its owner only, and read at the next", () =>
  Effect.gen(function* () {
    const directory = join(root, "new", "below")
    const sealed = yield* Effect.flatMap(box(directory), ({ encrypt }) => encrypt("whsec_a", owner))
    assert.strictEqual(yield* Effect.flatMap(box(directory), ({ decrypt }) => decrypt(sealed, owner)), "whsec_a")
    assert.deepStrictEqual(readdirSync(directory), ["secret.key"])
    assert.strictEqual(statSync(join(directory, "secret.key")).mode & 0o777, 0o600)
  }),
)

it.live("is one, however many first starts there are at once", () =>
  Effect.gen(function* () {
    const directory = join(root, "several")
    const boxes = yield* Effect.all(
      Array.from({ length: 20 }, () => box(directory)),
      { concurrency: "unbounded" },
    )
    const sealed = yield* Effect.forEach(boxes, ({ encrypt }) => encrypt("whsec_b", owner))
    const opened = yield* Effect.forEach(sealed, (text, nth) => boxes.at(nth - 1)?.decrypt(text, owner) ?? Effect.never)
    assert.deepStrictEqual(new Set(opened), new Set(["whsec_b"]))
  }),
)

for (const [name, text] of Object.entries({ empty: "", short: "aGVsbG8=\n", long: `${"a".repeat(60)}\n` })) {
  it.live(`that is ${name} is refused, and its file named and left as it is`, () =>
    Effect.gen(function* () {
      const directory = mkdtempSync(join(root, name))
      const file = join(directory, "secret.key")
      writeFileSync(file, text)
      const error = yield* Effect.flip(box(directory))
      assert.instanceOf(error, SecretKey.SecretKeyError)
      assert.include(error.message, file)
      assert.strictEqual(readFileSync(file, "utf8"), text)
    }),
  )
}

it.live("that cannot be read is an error that names its file", () =>
  Effect.gen(function* () {
    const file = join(root, "file")
    writeFileSync(file, "")
    const error = yield* Effect.flip(box(file))
    assert.include(error.message, file)
  }),
)
