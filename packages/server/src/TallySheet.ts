/** What was counted of attempts and is not added to the storage's tallies yet: by minute, account and endpoint. */
import { type Id, Tally } from "@tc/domain"
import { beginningOf, type Counted, MINUTE_MS, type Outcome, type Settlement } from "@tc/store"

/** Counted up in place, for each attempt is counted. */
interface Row extends Counted {
  latest_at: number
  succeeded: number
  retried: number
  failed: number
  readonly durations: Array<number>
}

type OfMinute = Map<Id.AccountId, Map<Id.WebhookEndpointId, Row>>

const resultOf = (outcome: Outcome): keyof Tally.Outcomes => {
  if (typeof outcome === "object") return "retried"
  return outcome === "succeeded" ? "succeeded" : "failed"
}

export class TallySheet {
  #minutes = new Map<number, OfMinute>()
  #size = 0

  /** How many rows it has: minutes of an endpoint. */
  get size(): number {
    return this.#size
  }

  /** Counts an attempt in the minute in which it ended. */
  count({ attempt: { started_at, duration_ms }, job, outcome }: Settlement): void {
    const ended_at = Date.parse(started_at) + duration_ms
    const row = this.#row(job.account_id, job.endpoint_id, beginningOf(ended_at, MINUTE_MS))
    row[resultOf(outcome)] += 1
    row.durations[Tally.bucketOf(duration_ms)]! += 1
    if (ended_at > row.latest_at) row.latest_at = ended_at
  }

  /** Takes all rows, the oldest first, and leaves none. */
  take(): Array<Counted> {
    const minutes = [...this.#minutes].toSorted(([left], [right]) => left - right)
    this.#minutes = new Map()
    this.#size = 0
    return minutes.flatMap(([, accounts]) => [...accounts.values()].flatMap((rows) => [...rows.values()]))
  }

  /** Puts rows back that were taken: they are added to what was counted meanwhile. */
  putBack(all: ReadonlyArray<Counted>): void {
    for (const counted of all) {
      const row = this.#row(counted.account_id, counted.endpoint_id, counted.minute)
      Object.assign(row, Tally.add(row, counted), { latest_at: Math.max(row.latest_at, counted.latest_at) })
    }
  }

  #row(account_id: Id.AccountId, endpoint_id: Id.WebhookEndpointId, minute: number): Row {
    const accounts = madeIn<number, OfMinute>(this.#minutes, minute, () => new Map())
    const rows = madeIn<Id.AccountId, Map<Id.WebhookEndpointId, Row>>(accounts, account_id, () => new Map())
    return madeIn(rows, endpoint_id, () => {
      this.#size += 1
      return { account_id, endpoint_id, minute, latest_at: 0, ...Tally.none, durations: [...Tally.none.durations] }
    })
  }
}

/** What a map has for a key, made where it has nothing. */
const madeIn = <Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value => {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}
