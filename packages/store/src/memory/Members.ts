/** Members in memory. */
import { Errors, type Id, Member, Value } from "@tc/domain"
import { Effect, Layer, Result, Struct } from "effect"
import * as Service from "../Members.ts"
import * as Refusals from "../Refusals.ts"
import { copy } from "./Copy.ts"
import { keyOf, Memory } from "./Memory.ts"
import * as Query from "./Query.ts"

export const show = (row: Member.Row): Member.Member => Struct.omit(row, ["password_hash"])

/** The members that a test is true of, oldest first. */
const where = ({ members }: Memory["Service"], test: (row: Member.Row) => boolean): ReadonlyArray<Member.Row> =>
  [...members.values()].filter(test).toSorted(Query.newestFirst).toReversed()

export const ofAccount = (memory: Memory["Service"], account_id: Id.AccountId): ReadonlyArray<Member.Row> =>
  where(memory, (row) => row.account_id === account_id)

/** Part of a step. */
export const add = (memory: Memory["Service"], row: Member.Row): Result.Result<Member.Member, Errors.Conflict> => {
  if (ofAccount(memory, row.account_id).some(({ email }) => email === row.email)) {
    return Result.fail(Refusals.emailTaken(row.email))
  }
  memory.members.set(keyOf(row.account_id, row.id), copy(row))
  return Result.succeed(show(row))
}

export const layer = Layer.effect(
  Service.Members,
  Effect.map(Memory, (memory) => {
    const { members, sessions, step } = memory
    const find = (account_id: Id.AccountId, id: Id.MemberId) =>
      Result.fromNullishOr(members.get(keyOf(account_id, id)), () => Errors.notFound("member", id))
    const others = ({ account_id, id }: Member.Row) => ofAccount(memory, account_id).filter((row) => row.id !== id)
    /** Ends the sessions of a member but one. */
    const end = ({ account_id, id }: Member.Row, keep: Id.SessionId | null) => {
      for (const [key, session] of sessions) {
        const isTheirs = session.account_id === account_id && session.member_id === id
        if (isTheirs && session.id !== keep) sessions.delete(key)
      }
    }
    /** Who may invite nobody any more has invited nobody. */
    const uninvite = (account_id: Id.AccountId, id: Id.MemberId) => {
      for (const [key, invitation] of memory.invitations) {
        if (invitation.account_id === account_id && invitation.invited_by === id) memory.invitations.delete(key)
      }
    }
    return Service.Members.of({
      create: (member) => step(() => add(memory, member)),
      findByEmail: (email) => step(() => Result.succeed(where(memory, (row) => row.email === email))),
      list: (account_id) => step(() => Result.succeed(ofAccount(memory, account_id).map(show))),
      get: (account_id, id) => step(() => find(account_id, id)),
      setRole: (account_id, id, role) =>
        step((millis) =>
          Result.gen(function* () {
            const row = yield* find(account_id, id)
            const next = Member.withRole(role)(row, Value.timestamp(millis))
            yield* Member.keepsOwner([...others(row), next])
            if (role !== "owner") uninvite(account_id, id)
            members.set(keyOf(account_id, id), next)
            return show(next)
          }),
        ),
      remove: (account_id, id) =>
        step(() =>
          Result.gen(function* () {
            const row = yield* find(account_id, id)
            yield* Member.keepsOwner(others(row))
            end(row, null)
            uninvite(account_id, id)
            members.delete(keyOf(account_id, id))
          }),
        ),
      setPassword: (account_id, id, password_hash, keep) =>
        step((millis) =>
          Result.map(find(account_id, id), (row) => {
            members.set(keyOf(account_id, id), { ...row, password_hash, updated_at: Value.timestamp(millis) })
            end(row, keep)
          }),
        ),
    })
  }),
)
