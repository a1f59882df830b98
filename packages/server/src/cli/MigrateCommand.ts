/** `migrate`: brings the schema of the database forward. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as StorageLayer from "../node/StorageLayer.ts"
import { Environment } from "./Environment.ts"
import { json, print } from "./Output.ts"
import { Refused } from "./WithStorage.ts"

export const command = Command.make("migrate", { json }, ({ json }) =>
  Effect.gen(function* () {
    const { storage } = yield* Environment
    if (storage.kind === "memory") return yield* new Refused({ message: "TC_STORE=memory has no schema to migrate." })
    const migrations = yield* StorageLayer.migrated(storage)
    yield* print(json, { migrations }, () =>
      migrations.length === 0 ? ["the schema is up to date"] : migrations.map((name) => `ran ${name}`),
    )
  }),
).pipe(Command.withDescription("Bring the database's schema forward; the server does so itself when it starts"))
