/** How far a recovery is, and how far a batch brings it. Pure; every storage follows it. */
import { Id, Recovery, Value } from "@tc/domain"
import type { AdvanceRequest } from "./Recoveries.ts"

/** A recovery as kept: how far it is, and who holds it. */
export interface RecoveryRow extends Recovery.Recovery {
  /** The events after this one come next. */
  readonly cursor: string
  /** When a worker may take it up, or the lease on it runs out; null when it has ended. */
  readonly due_at: string | null
  readonly lease: string | null
}

/** Where a window begins, as the cursor before its first event. */
export const start = (since: string): string => Id.least(Date.parse(since))

/** The id that the events of a batch come before, and whether that is the end of the window. */
export const end = (
  { until }: Recovery.Window,
  { settle_ms }: AdvanceRequest,
  millis: number,
): { readonly before: string; readonly isLast: boolean } => {
  const last = Date.parse(until) + 1
  const settled = millis - settle_ms
  return { before: Id.least(Math.min(last, settled)), isLast: last <= settled }
}

/** What one batch came to. */
export interface Batch {
  /** Events looked at. */
  readonly seen: number
  /** Deliveries created. */
  readonly made: number
  /** The last event that was looked at, if there was one. */
  readonly last: string | null
  /** Whether it stopped for want of room. */
  readonly isFull: boolean
}

/** The recovery after a batch. */
export const after = (
  row: RecoveryRow,
  { seen, made, last, isFull }: Batch,
  { limit, rest_ms }: AdvanceRequest,
  { isLast, millis }: { readonly isLast: boolean; readonly millis: number },
): RecoveryRow => {
  const now = Value.timestamp(millis)
  const isThrough = !isFull && seen < limit
  const counted = {
    ...row,
    event_count: row.event_count + seen,
    delivery_count: row.delivery_count + made,
    cursor: last ?? row.cursor,
    lease: null,
    updated_at: now,
  }
  return isThrough && isLast
    ? { ...counted, ...Recovery.run("finish", counted, now), due_at: null }
    : { ...counted, due_at: Value.timestamp(isFull || isThrough ? millis + rest_ms : millis) }
}
