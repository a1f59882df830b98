/** Accounts in memory. */
import { type Account, Id, Value } from "@tc/domain"
import { Effect, Layer, Result } from "effect"
import * as Service from "../Accounts.ts"
import * as Refusals from "../Refusals.ts"
import { Memory } from "./Memory.ts"
import * as Query from "./Query.ts"

export const layer = Layer.effect(
  Service.Accounts,
  Effect.map(Memory, ({ accounts, nextId, step }) => {
    const add = (name: string, millis: number): Account.Account => {
      const account = { id: Id.AccountId.id.make(nextId(millis)), name, created_at: Value.timestamp(millis) }
      accounts.set(name, account)
      return account
    }
    return Service.Accounts.of({
      create: (name) =>
        step((millis) =>
          !accounts.has(name) ? Result.succeed(add(name, millis)) : Result.fail(Refusals.nameTaken(name)),
        ),
      get: (id) =>
        step(() =>
          Result.fromNullishOr(
            [...accounts.values()].find((account) => account.id === id),
            () => Refusals.noAccountOf(id),
          ),
        ),
      getByName: (name) => step(() => Result.fromNullishOr(accounts.get(name), () => Refusals.noAccount(name))),
      ensure: (name) => step((millis) => Result.succeed(accounts.get(name) ?? add(name, millis))),
      list: step(() => Result.succeed([...accounts.values()].toSorted(Query.newestFirst).toReversed())),
    })
  }),
)
