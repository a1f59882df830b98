/** `member list`, `member reset-password`. */
import { Dashboard } from "@tc/api"
import { Account, Errors, Member, Value } from "@tc/domain"
import { Accounts, Members } from "@tc/store"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import * as Audit from "../dashboard/Audit.ts"
import * as PasswordResets from "../dashboard/PasswordResets.ts"
import type { Environment } from "./Environment.ts"
import { json, print, table } from "./Output.ts"
import { type StorageError, withStorage } from "./WithStorage.ts"

const account = Flag.String("account").pipe(
  Flag.withDescription("The name of the account"),
  Flag.withDefault(Account.DEFAULT_NAME),
  Flag.withSchema(Value.Name),
)

const email = Flag.String("email").pipe(
  Flag.withDescription("The address with which they sign in"),
  Flag.withSchema(Member.EmailInput),
)

const membersOf = Effect.fnUntraced(function* (name: string) {
  const { id } = yield* (yield* Accounts).getByName(name)
  return yield* (yield* Members).list(id)
})

const list = Command.make("list", { account, json }, ({ account, json }) =>
  withStorage(
    Effect.gen(function* () {
      const members = yield* membersOf(account)
      yield* print(json, members, () =>
        table([
          ["ID", "E-MAIL", "ROLE", "LAST SEEN"],
          ...members.map(({ id, email, role, last_seen_at }) => [id, email, role, last_seen_at ?? "never"]),
        ]),
      )
    }),
  ),
).pipe(Command.withDescription("List who may use the dashboard of an account"))

const nobody = (email: string, account: string) =>
  new Errors.NotFound({ message: `The account ${account} has no member with the address ${email}.` })

const reset = Command.make("reset-password", { account, email, json }, ({ account, email, json }) =>
  withStorage(
    Effect.gen(function* () {
      const member = (yield* membersOf(account)).find((one) => one.email === email)
      if (member === undefined) return yield* nobody(email, account)
      const { account_id, id } = member
      const offer = PasswordResets.offer(account_id, id)
      const { offered } = yield* Audit.changedIn(account_id, "password.reset_offered", offer, PasswordResets.subject)
      yield* print(json, offered, ({ token, expires_at }) => [
        token,
        `Open ${Dashboard.PAGES}/reset-password#${token} on the server: it works once, until ${expires_at}.`,
      ])
    }),
  ),
).pipe(Command.withDescription("Print the token with which a member chooses another password, this once"))

/** Its failures are a name or an address that there is not, and no storage to run on. */
export const command: Command.Command<"member", {}, {}, Errors.NotFound | StorageError, Environment> = Command.make(
  "member",
).pipe(Command.withDescription("Members: the people who use the dashboard"), Command.withSubcommands([list, reset]))
