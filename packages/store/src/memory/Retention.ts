/** Removes what is old from memory. */
import { Id } from "@tc/domain"
import { Effect, Layer, Result } from "effect"
import * as Service from "../Retention.ts"
import { isOpen, Memory } from "./Memory.ts"

/** Part of a step. What it removes it does not find again, so that a run always begins at the start. */
const prune = (memory: Memory["Service"], { before, limit, max_bytes }: Service.PruneRequest): Service.Pruned => {
  const end = Id.least(before)
  let removed = 0
  let bytes = 0
  for (const { id: account_id } of memory.accounts.values()) {
    const deliveries = memory.deliveries(account_id)
    for (const delivery of deliveries.values()) {
      if (removed === limit) return { removed, next: { table: "deliveries", account_id, id: delivery.id } }
      if (delivery.id < end && !isOpen(delivery) && memory.forget(delivery)) removed += 1
    }
    const needed = new Set([...deliveries.values()].map(({ event_id }) => event_id))
    const events = memory.events(account_id)
    for (const { id, tail } of events.values()) {
      if (id >= end || needed.has(id)) continue
      bytes += tail.length
      if (removed === limit || (removed > 0 && bytes > max_bytes)) {
        return { removed, next: { table: "events", account_id, id } }
      }
      events.delete(id)
      removed += 1
    }
    const recoveries = memory.recoveries(account_id)
    for (const { id, due_at } of recoveries.values()) {
      if (id >= end || due_at !== null) continue
      if (removed === limit) return { removed, next: { table: "recoveries", account_id, id } }
      recoveries.delete(id)
      removed += 1
    }
    const former = memory.former(account_id)
    for (const id of former.keys()) {
      if (id >= end) continue
      if (removed === limit) return { removed, next: { table: "former_settings", account_id, id } }
      former.delete(id)
      removed += 1
    }
  }
  return { removed, next: null }
}

export const layer = Layer.effect(
  Service.Retention,
  Effect.map(Memory, (memory) =>
    Service.Retention.of({ prune: (request) => memory.step(() => Result.succeed(prune(memory, request))) }),
  ),
)
