/** Deliveries that wait their turn: for one before them to end, or for the rate of their endpoint. */

/**
 * `position`: null for deliveries that may be taken as they fall due, 0 for those at a rate, else the place in an order,
 * which ties break by id. What waits its turn is in none of the indexes that the ordinary claim reads: however much of it
 * there is, nobody passes over it row by row.
 *
 * `current` is the delivery that was taken last in order; `free_at` is when all that was taken at a rate is paid for.
 */
export const statements: ReadonlyArray<string> = [
  `ALTER TABLE tc.webhook_endpoints ADD COLUMN current uuid, ADD COLUMN free_at timestamptz`,
  `ALTER TABLE tc.deliveries ADD COLUMN position bigint`,
  `DROP INDEX tc.deliveries_first, tc.deliveries_again`,
  `CREATE INDEX deliveries_first ON tc.deliveries (due_at, id)
    WHERE due_at IS NOT NULL AND NOT retry AND position IS NULL`,
  `CREATE INDEX deliveries_again ON tc.deliveries (due_at, id)
    WHERE due_at IS NOT NULL AND retry AND position IS NULL`,
  `CREATE INDEX deliveries_gated ON tc.deliveries (account_id, endpoint_id, position, id)
    WHERE due_at IS NOT NULL AND position IS NOT NULL`,
]
