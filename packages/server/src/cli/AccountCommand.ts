/** `account create`, `account list`, `account invite`. */
import { Dashboard } from "@tc/api"
import { Errors, Value } from "@tc/domain"
import { Accounts, Members } from "@tc/store"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import * as FirstMember from "../dashboard/FirstMember.ts"
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

const invite = Command.make("invite", { name, json }, ({ name, json }) =>
  withStorage(
    Effect.gen(function* () {
      const { id } = yield* (yield* Accounts).getByName(name)
      const members = yield* (yield* Members).list(id)
      if (members.length > 0) return yield* hasMembers(name)
      const token = yield* FirstMember.invite(id)
      yield* print(json, { token }, () => [
        token,
        `Open ${Dashboard.PAGES}/sign-up#${token} on the server: it works once.`,
      ])
    }),
  ),
).pipe(Command.withDescription("Print the token with which the first member of an account signs up to the dashboard"))

const hasMembers = (name: string) =>
  new Errors.Conflict({
    code: "account_has_members",
    message: `The account ${name} has members: its owners invite others.`,
  })

/** Its failures are a name that is in use, and no storage to run on. */
export const command: Command.Command<
  "account",
  {},
  {},
  Errors.Conflict | Errors.NotFound | StorageError,
  Environment
> = Command.make("account").pipe(
  Command.withDescription("Accounts: the tenants of this server"),
  Command.withSubcommands([create, list, invite]),
)
