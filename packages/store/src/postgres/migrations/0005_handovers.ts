/** Deliveries that are born under a lease stay out of the queue's indexes, which most of them would leave at once. */

export const statements: ReadonlyArray<string> = [
  // `retry`: the next attempt is not the first. Unlike the count of attempts, it stays as it is when the first succeeds.
  // `lease_until`: when the lease ends under which it was born; `due_at` is null for as long.
  `ALTER TABLE tc.deliveries
    ADD COLUMN retry boolean NOT NULL DEFAULT false,
    ADD COLUMN lease_until timestamptz`,
  `UPDATE tc.deliveries SET retry = true WHERE due_at IS NOT NULL AND attempt_count > 0`,
  `DROP INDEX tc.deliveries_first`,
  `DROP INDEX tc.deliveries_again`,
  `CREATE INDEX deliveries_first ON tc.deliveries (due_at, id) WHERE due_at IS NOT NULL AND NOT retry`,
  `CREATE INDEX deliveries_again ON tc.deliveries (due_at, id) WHERE due_at IS NOT NULL AND retry`,
  // Made again by itself, without a lock.
  `DROP INDEX IF EXISTS tc.deliveries_again_open`,
  // A first attempt that succeeds then changes no column that an index knows: with room on its page, none is written.
  `ALTER TABLE tc.deliveries SET (fillfactor = 60)`,
  // What was born under a lease, a row for each statement and account. It is read when the lease is over.
  `CREATE TABLE tc.handovers (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    lease text NOT NULL,
    lease_until timestamptz NOT NULL,
    deliveries uuid[] NOT NULL,
    PRIMARY KEY (account_id, id)
  )`,
  `ALTER TABLE tc.handovers ALTER COLUMN deliveries SET STORAGE EXTERNAL`,
  `CREATE INDEX handovers_until ON tc.handovers (lease_until)`,
]
