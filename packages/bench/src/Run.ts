/** What an open-loop run came to: each delivery's first receipt against the time at which its event was to be sent. */
import type { Offered } from "./OpenLoop.ts"
import type { Arrived } from "./Receiver.ts"

/** What an open-loop run came to. */
export interface Run {
  /** Deliveries received per second, from the first scheduled event to the last receipt. */
  readonly per_second: number
  /** Milliseconds from an event's scheduled time to each first receipt; Infinity for a delivery that never came. */
  readonly latency: ReadonlyArray<number>
  /** Milliseconds from an event's scheduled time until it was accepted. */
  readonly accepting: ReadonlyArray<number>
  /** First receipts: when they were, and when their events were scheduled, by `Clock`. */
  readonly received: ReadonlyArray<{ readonly scheduled: number; readonly at: number }>
}

/** Judges what arrived of what was offered, each event to so many endpoints. Receipts of other events are left out. */
export const judge = (offered: Offered, arrived: Arrived, fanOut: number): Run => {
  const { first, scheduled, accepted } = offered
  const firsts = new Map<string, Run["received"][number]>()
  arrived.events.forEach((event, index) => {
    const key = `${event} ${arrived.endpoints[index]}`
    if (event >= first && event < first + scheduled.length && !firsts.has(key))
      firsts.set(key, { scheduled: scheduled[event - first]!, at: arrived.at[index]! })
  })
  const owed = accepted.filter((time) => !Number.isNaN(time)).length * fanOut
  const missing = Array.from({ length: Math.max(0, owed - firsts.size) }, () => Infinity)
  const received = [...firsts.values()]
  const last = received.reduce((latest, { at }) => Math.max(latest, at), 0)
  return {
    per_second: (firsts.size / (last - scheduled[0]!)) * 1_000,
    latency: [...received.map(({ scheduled, at }) => at - scheduled), ...missing],
    received,
    accepting: Array.from(accepted, (time, index) => time - scheduled[index]!).filter((time) => !Number.isNaN(time)),
  }
}
