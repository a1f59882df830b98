/** The accounts there are. */
import type { Account, Errors, Id } from "@tc/domain"
import { Context, type Effect } from "effect"

export class Accounts extends Context.Service<
  Accounts,
  {
    /** Fails with `Conflict` `name_taken` when the name is in use. */
    readonly create: (name: string) => Effect.Effect<Account.Account, Errors.Conflict>
    readonly get: (id: Id.AccountId) => Effect.Effect<Account.Account, Errors.NotFound>
    readonly getByName: (name: string) => Effect.Effect<Account.Account, Errors.NotFound>
    /** The account of that name, made when there is none; safe when several processes ask at once. */
    readonly ensure: (name: string) => Effect.Effect<Account.Account>
    /** Oldest first. */
    readonly list: Effect.Effect<ReadonlyArray<Account.Account>>
  }
>()("@tc/store/Accounts") {}
