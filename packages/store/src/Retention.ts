/** Removes what is older than anybody wants to see. */
import { Context, type Effect } from "effect"

/** Where a run goes on. It means something to the storage alone. */
export interface Place {
  readonly table: "deliveries" | "events" | "recoveries" | "former_settings"
  readonly account_id: string
  readonly id: string
}

/** One batch of a run. */
export interface PruneRequest {
  /** What happened before this may go. Milliseconds since 1970. */
  readonly before: number
  /** Rows that are looked at at most. The attempts of a delivery go with it. */
  readonly limit: number
  /** Bytes of payload that are removed at most, beyond the first event's. */
  readonly max_bytes: number
  /** Where the batch before stopped; null for the first. */
  readonly from: Place | null
}

/** What one batch came to. */
export interface Pruned {
  /** Rows that were removed, attempts not counted. */
  readonly removed: number
  /** Where to go on; null when the run is over, also because another process is at it. */
  readonly next: Place | null
}

/** Events, deliveries, attempts, recoveries and former settings of all accounts, by age. Storage that cannot be reached is a defect, `Unavailable`. */
export class Retention extends Context.Service<
  Retention,
  {
    /**
     * Removes a batch of what happened before a time: deliveries with their attempts, events, recoveries, what endpoints were until
     * then. Those that have not ended stay, and every event of which there is a delivery. A delivery is as old as its event,
     * whenever it was made.
     */
    readonly prune: (request: PruneRequest) => Effect.Effect<Pruned>
  }
>()("@tc/store/Retention") {}
