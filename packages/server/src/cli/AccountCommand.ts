/** `account create`, `account list`. */
import { type Errors, Value } from "@tc/domain"
import { Accounts } from "@tc/store"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import type { Environment } from "./Environment.ts"
import { json, print, table } from "./Output.ts"
import { type StorageError, withStorage } from "./WithStorage.ts"

const name = Flag.String("name").pipe(
  Flag.withDescription("Its name, unique among accounts"),
  Flag.withSchema(Value.Name),
)

const create = Command.make("create", { name, json }, ({ name, json }) =>
  withStorage(
    Effect.gen(function* () {
      const account = yield* (yield* Accounts).create(name)
      yield* print(json, account, ({ id, name }) => [`account ${name} ${id}`])
    }),
  ),
).pipe(Command.withDescription("Create an account"))

const list = Command.make("list", { json }, ({ json }) =>
  withStorage(
    Effect.gen(function* () {
      const accounts = yield* (yield* Accounts).list
      yield* print(json, accounts, () =>
        table([["ID", "NAME", "CREATED"], ...accounts.map(({ id, name, created_at }) => [id, name, created_at])]),
      )
    }),
  ),
).pipe(Command.withDescription("List the accounts"))

/** Its failures are a name that is in use, and no storage to run on. */
export const command: Command.Command<"account", {}, {}, Errors.Conflict | StorageError, Environment> = Command.make(
  "account",
).pipe(Command.withDescription("Accounts: the tenants of this server"), Command.withSubcommands([create, list]))
