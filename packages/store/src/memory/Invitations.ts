/** Invitations in memory. */
import { Errors, type Id, type Invitation, Limits, Value } from "@tc/domain"
import { Effect, Layer, Result, Struct } from "effect"
import * as Service from "../Invitations.ts"
import * as Refusals from "../Refusals.ts"
import { copy } from "./Copy.ts"
import * as Members from "./Members.ts"
import { keyOf, Memory } from "./Memory.ts"
import * as Query from "./Query.ts"

const show = (row: Invitation.Row): Invitation.Invitation => Struct.omit(row, ["token_hash"])

export const layer = Layer.effect(
  Service.Invitations,
  Effect.map(Memory, (memory) => {
    const { accounts, invitations, step } = memory
    /** The invitation that can be accepted with a token. */
    const find = (token_hash: string, now: string) =>
      [...invitations.values()].find(
        (row) =>
          row.token_hash === token_hash &&
          row.expires_at > now &&
          (row.invited_by !== null || Members.ofAccount(memory, row.account_id).length === 0),
      )
    /** Those that people made and that can be accepted. */
    const open = (account_id: Id.AccountId, now: string) =>
      [...invitations.values()].filter(
        (row) => row.account_id === account_id && row.invited_by !== null && row.expires_at > now,
      )
    return Service.Invitations.of({
      create: (row) =>
        step((millis) => {
          const isFull = open(row.account_id, Value.timestamp(millis)).length >= Limits.INVITATIONS_MAX
          if (row.invited_by !== null && isFull) return Result.fail(Refusals.tooManyInvitations())
          invitations.set(keyOf(row.account_id, row.id), copy(row))
          return Result.succeed(show(row))
        }),
      list: (account_id, now) =>
        step(() => Result.succeed(open(account_id, now).toSorted(Query.newestFirst).map(show))),
      find: (token_hash, now) =>
        step(() => {
          const row = find(token_hash, now)
          const account = [...accounts.values()].find(({ id }) => id === row?.account_id)
          return Result.succeed(row === undefined || account === undefined ? null : { invitation: show(row), account })
        }),
      accept: (token_hash, member) =>
        step((millis) =>
          Result.gen(function* () {
            const row = find(token_hash, Value.timestamp(millis))
            if (row === undefined) return yield* Result.fail(Refusals.noInvitation())
            const { account_id, id, role } = row
            const added = yield* Members.add(memory, { ...member, account_id, role })
            invitations.delete(keyOf(account_id, id))
            return added
          }),
        ),
      prune: (before) =>
        step(() => {
          const over = [...invitations].filter(([, { expires_at }]) => expires_at <= before)
          for (const [key] of over) invitations.delete(key)
          return Result.succeed(over.length)
        }),
      revoke: (account_id, id) =>
        step(() =>
          invitations.delete(keyOf(account_id, id)) ? Result.void : Result.fail(Errors.notFound("invitation", id)),
        ),
    })
  }),
)
