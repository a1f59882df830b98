import { assert, it } from "@effect/vitest"
import { Bootstrap } from "@tc/server"
import { suites } from "@tc/store/testing"
import { Effect } from "effect"
import { DatabaseSync } from "node:sqlite"
import { layer } from "./main.ts"

suites("memory with keys in SQLite", layer(new DatabaseSync(":memory:")))

it.effect("the first key is in the application's table", () =>
  Effect.gen(function* () {
    const db = new DatabaseSync(":memory:")
    const { key } = yield* Effect.provide(Bootstrap.run(null), layer(db))
    const [row] = db.prepare("SELECT prefix FROM api_keys").all()
    assert.strictEqual(row?.["prefix"], key?.slice(3, 11))
  }),
)
