/** Sessions in memory. */
import { Limits, type Member, type Session } from "@tc/domain"
import { Effect, Layer, Result } from "effect"
import * as Service from "../Sessions.ts"
import { copy } from "./Copy.ts"
import * as Members from "./Members.ts"
import { keyOf, Memory } from "./Memory.ts"
import * as Query from "./Query.ts"

export const layer = Layer.effect(
  Service.Sessions,
  Effect.map(Memory, ({ members, sessions, step }) => {
    const see = (member: Member.Row | undefined, last_seen_at: string) => {
      if (member === undefined || (member.last_seen_at ?? "") >= last_seen_at) return
      members.set(keyOf(member.account_id, member.id), { ...member, last_seen_at })
    }
    /** Ends the oldest sessions of a member but those that they may have beside a new one. */
    const endOldest = ({ id, account_id, member_id }: Session.Session) => {
      const others = [...sessions.values()].filter(
        (one) => one.account_id === account_id && one.member_id === member_id && one.id !== id,
      )
      for (const { id } of others.toSorted(Query.newestFirst).slice(Limits.SESSIONS_MAX - 1)) {
        sessions.delete(keyOf(account_id, id))
      }
    }
    return Service.Sessions.of({
      create: (session, password_hash) =>
        step(() => {
          const member = members.get(keyOf(session.account_id, session.member_id))
          if (member?.password_hash !== password_hash) return Result.succeed(false)
          sessions.set(keyOf(session.account_id, session.id), copy(session))
          endOldest(session)
          see(member, session.last_seen_at)
          return Result.succeed(true)
        }),
      find: (token_hash) =>
        step(() => {
          const session = [...sessions.values()].find((one) => one.token_hash === token_hash)
          if (session === undefined) return Result.succeed(null)
          const member = members.get(keyOf(session.account_id, session.member_id))
          return Result.succeed(member === undefined ? null : { session, member: Members.show(member) })
        }),
      touch: ({ account_id, id, last_seen_at }) =>
        step(() => {
          const session = sessions.get(keyOf(account_id, id))
          if (session === undefined || session.last_seen_at >= last_seen_at) return Result.void
          sessions.set(keyOf(account_id, id), { ...session, last_seen_at })
          see(members.get(keyOf(account_id, session.member_id)), last_seen_at)
          return Result.void
        }),
      end: (account_id, id) =>
        step(() => {
          sessions.delete(keyOf(account_id, id))
          return Result.void
        }),
      prune: (before) =>
        step(() => {
          const old = [...sessions].filter(
            ([, one]) => one.created_at < before.created_at || one.last_seen_at < before.last_seen_at,
          )
          for (const [key] of old) sessions.delete(key)
          return Result.succeed(old.length)
        }),
    })
  }),
)
