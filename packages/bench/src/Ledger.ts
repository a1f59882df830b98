/** The ledger of a run: what was accepted against what was recorded and what the receiver saw. One that does not balance is void. */

/** All deliveries that a contender has stored, by what became of them. */
export interface Counts {
  readonly delivered: number
  /** Waiting or under way. */
  readonly pending: number
  readonly failed: number
  readonly canceled: number
}

/** What came in at the receiver. */
export interface Received {
  readonly requests: number
  /** How many different deliveries came. */
  readonly deliveries: number
  /** How many different pairs of event and endpoint came. */
  readonly pairs: number
}

export interface Entries {
  /** Deliveries that were owed: events accepted, times the endpoints of each. */
  readonly accepted: number
  readonly counts: Counts
  readonly received: Received
  /** Whether a delivery may come twice, as when a process was killed between an answer and its record. */
  readonly at_least_once: boolean
}

export interface Ledger extends Counts {
  readonly accepted: number
  /** Different deliveries at the receiver. */
  readonly received: number
  /** Requests beyond the first for the same event and endpoint. */
  readonly duplicates: number
  readonly balanced: boolean
  /** Why it does not balance. */
  readonly problems: ReadonlyArray<string>
}

/** accepted = delivered + pending + failed + canceled; received = delivered; nothing twice unless that may be. */
export const make = ({ accepted, counts, received, at_least_once }: Entries): Ledger => {
  const { delivered, pending, failed, canceled } = counts
  const stored = delivered + pending + failed + canceled
  const duplicates = received.requests - received.pairs
  const problems = [
    stored < accepted && `${accepted - stored} accepted deliveries are stored nowhere`,
    stored > accepted && `${stored - accepted} deliveries are stored that were not accepted`,
    received.deliveries < delivered &&
      `${delivered - received.deliveries} deliveries are recorded that nobody received`,
    received.deliveries > delivered && `${received.deliveries - delivered} deliveries were received and not recorded`,
    duplicates > 0 && !at_least_once && `${duplicates} deliveries came twice`,
  ].filter((problem) => problem !== false)
  return {
    accepted,
    ...counts,
    received: received.deliveries,
    duplicates,
    balanced: problems.length === 0,
    problems,
  }
}
