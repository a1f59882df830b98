/** The audit log in memory. */
import { Effect, Layer, Result } from "effect"
import * as Service from "../AuditLog.ts"
import { copy } from "./Copy.ts"
import { Memory } from "./Memory.ts"
import * as Query from "./Query.ts"

export const layer = Layer.effect(
  Service.AuditLog,
  Effect.map(Memory, ({ entries, step }) =>
    Service.AuditLog.of({
      append: (entry) =>
        step(() => {
          entries(entry.account_id).set(entry.id, copy(entry))
          return Result.void
        }),
      list: (account_id, { action, member_id, ...request }) =>
        step(() => {
          const found = [...entries(account_id).values()].filter(Query.matches({ action, member_id }))
          return Result.succeed(Query.page(request, found.toSorted(Query.newestFirst)))
        }),
    }),
  ),
)
