/** What all claims have in common: of what they locked, so many bytes are put under a lease. */
import * as Handovers from "./Handovers.ts"

/** The parameters of a claim, as its text names them. */
export interface Parameters {
  readonly now: string
  readonly lease: string
  /** When the lease ends. */
  readonly until: string
  readonly max_bytes: string
}

/**
 * Whether a delivery that is looked up by its id is due still. No index knows the condition: through one all that is open could
 * be read, while the planner believes it to be little, and the few that are meant be looked for among it.
 */
export const isDue = (delivery: string, now: string): string => `coalesce(${delivery}.due_at <= ${now}, false)`

/** The same of whether it is due at any time. */
export const isOpen = (delivery: string): string => isDue(delivery, "'infinity'")

/** Two common tables, `sized` and `leased`, from `locked`: account_id, id, event_id, place in the order, expired. */
const leased = ({ now, lease, max_bytes }: Parameters, times: string): string => `
  sized AS MATERIALIZED (
    SELECT l.*, v.tail, row_number() OVER places AS nth, sum(octet_length(v.tail)) OVER places AS bytes
    FROM locked l JOIN tc.events v ON v.account_id = l.account_id AND v.id = l.event_id WINDOW places AS (ORDER BY l.place)
  ), leased AS (
    UPDATE tc.deliveries d SET status = 'delivering', lease = ${lease}, updated_at = ${now}, asked = false, ${times}
    FROM sized s WHERE d.account_id = s.account_id AND d.id = s.id AND (s.bytes <= ${max_bytes} OR s.nth = 1)
    RETURNING s.place, s.expired, d.account_id, d.id, d.endpoint_id, d.event, d.attempt_count + 1 AS attempt, d.manual, s.tail
  )`

/** They stay in the queue, where those that come after them in order see them. */
export const queued = (parameters: Parameters): string => leased(parameters, `due_at = ${parameters.until}`)

/** They leave the queue, and are remembered: what a lease writes into its indexes would be in the way of all claims. */
export const handed = (parameters: Parameters): string => `
  ${leased(parameters, `due_at = NULL, lease_until = ${parameters.until}`)},
  handed AS (${Handovers.remember("leased", parameters.lease, parameters.until)})`
