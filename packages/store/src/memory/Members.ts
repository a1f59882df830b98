/** Members in memory. */
import { Errors, type Id, Member, Value } from "@tc/domain"
import { Effect, Layer, Option, Result, Struct } from "effect"
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
    const { members, resets, sessions, step } = memory
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
    const byReset = (token_hash: string, now: string) =>
      Option.fromUndefinedOr(
        [...resets].find(([, reset]) => reset.token_hash === token_hash && reset.expires_at > now),
      ).pipe(Option.flatMap(([key]) => Option.fromUndefinedOr(members.get(key))))
    /** Gives a member another password. */
    const give = (row: Member.Row, password_hash: string, keep: Id.SessionId | null, now: string) => {
      const next = { ...row, password_hash, updated_at: now }
      members.set(keyOf(row.account_id, row.id), next)
      resets.delete(keyOf(row.account_id, row.id))
      end(row, keep)
      return next
    }
    /** Who is no owner any more may know the token for another password of anybody. */
    const endResets = (account_id: Id.AccountId) => {
      for (const key of resets.keys()) if (members.get(key)?.account_id === account_id) resets.delete(key)
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
      // What it is asked for comes next: nothing else begins in between.
      roleOf: (account_id, id) => step(() => Result.succeed(members.get(keyOf(account_id, id))?.role ?? null)),
      setRole: (account_id, id, role) =>
        step((millis) =>
          Result.gen(function* () {
            const row = yield* find(account_id, id)
            const next = Member.withRole(role)(row, Value.timestamp(millis))
            yield* Member.keepsOwner([...others(row), next])
            if (role !== "owner") uninvite(account_id, id)
            if (row.role === "owner" && role !== "owner") endResets(account_id)
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
            if (row.role === "owner") endResets(account_id)
            resets.delete(keyOf(account_id, id))
            members.delete(keyOf(account_id, id))
          }),
        ),
      offerReset: (account_id, id, reset) =>
        step(() =>
          Result.map(find(account_id, id), (row) => {
            resets.set(keyOf(account_id, id), copy(reset))
            return show(row)
          }),
        ),
      findByReset: (token_hash, now) =>
        step(() => Result.succeed(Option.getOrNull(Option.map(byReset(token_hash, now), show)))),
      reset: (token_hash, password_hash) =>
        step((millis) => {
          const now = Value.timestamp(millis)
          const found = Result.fromOption(byReset(token_hash, now), Refusals.noReset)
          return Result.map(found, (row) => show(give(row, password_hash, null, now)))
        }),
      setPassword: (account_id, id, { from, to }, keep) =>
        step((millis) =>
          Result.flatMap(find(account_id, id), (row) =>
            row.password_hash === from
              ? Result.succeed(void give(row, to, keep, Value.timestamp(millis)))
              : Result.fail(Errors.notFound("member", id)),
          ),
        ),
    })
  }),
)
