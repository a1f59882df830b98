/** The audit log in memory. */
import type { AuditEntry } from "@tc/domain"
import { Effect, Layer, Result } from "effect"
import * as Service from "../AuditLog.ts"
import { copy } from "./Copy.ts"
import { Memory } from "./Memory.ts"
import * as Query from "./Query.ts"

export const layer = Layer.effect(
  Service.AuditLog,
  Effect.map(Memory, ({ accounts, entries, step }) => {
    const append = (entry: AuditEntry.AuditEntry) =>
      step(() => {
        entries(entry.account_id).set(entry.id, copy(entry))
        return Result.void
      })
    return Service.AuditLog.of({
      append,
      // Keeping an entry is never refused here, and nothing else comes between once it has begun.
      noted: (change, tell) =>
        Effect.uninterruptible(
          Effect.tap(change, (answer) => {
            const entry = tell(answer)
            return entry === null ? Effect.void : append(entry)
          }),
        ),
      list: (account_id, { action, member_id, ...request }) =>
        step(() => {
          const found = [...entries(account_id).values()].filter(Query.matches({ action, member_id }))
          return Result.succeed(Query.page(request, found.toSorted(Query.newestFirst)))
        }),
      prune: (before) =>
        step(() => {
          let removed = 0
          for (const { id } of accounts.values()) {
            const all = entries(id)
            for (const [key, { created_at }] of all) if (created_at < before && all.delete(key)) removed += 1
          }
          return Result.succeed(removed)
        }),
    })
  }),
)
