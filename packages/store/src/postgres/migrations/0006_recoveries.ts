/** Recoveries: the work of delivering what an endpoint has missed, and how far it is. */

export const statements: ReadonlyArray<string> = [
  // `cursor`: the events after it come next. `due_at`: when a worker may take it up, or the lease on it runs out. Null: it has ended.
  `CREATE TABLE tc.recoveries (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    status text NOT NULL,
    since timestamptz NOT NULL,
    until timestamptz NOT NULL,
    events jsonb NOT NULL,
    event_count integer NOT NULL,
    delivery_count integer NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    completed_at timestamptz,
    cursor uuid NOT NULL,
    due_at timestamptz,
    lease text,
    PRIMARY KEY (account_id, id)
  )`,
  `CREATE INDEX recoveries_endpoint ON tc.recoveries (account_id, endpoint_id, id)`,
  // One of an endpoint at a time.
  `CREATE UNIQUE INDEX recoveries_open ON tc.recoveries (account_id, endpoint_id) WHERE due_at IS NOT NULL`,
  `CREATE INDEX recoveries_due ON tc.recoveries (due_at) WHERE due_at IS NOT NULL`,
]
