/** The floor's tables and its statements: accept a batch of events, with records or without, and settle deliveries. */

/** Four tables as a real service has them, every key beginning with its account; no foreign keys, as ours have none. */
export const tables = `
CREATE TABLE endpoints (
  account_id uuid NOT NULL, id uuid NOT NULL DEFAULT uuidv7(), url text NOT NULL, secret text NOT NULL,
  events text[] NOT NULL DEFAULT '{*}', status text NOT NULL DEFAULT 'active',
  consecutive_failures int NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, id)
);
CREATE TABLE events (
  account_id uuid NOT NULL, id uuid NOT NULL, event text NOT NULL, occurred_at timestamptz NOT NULL, payload text NOT NULL,
  PRIMARY KEY (account_id, id)
);
CREATE TABLE deliveries (
  account_id uuid NOT NULL, id uuid NOT NULL DEFAULT uuidv7(), event_id uuid NOT NULL, endpoint_id uuid NOT NULL,
  status text NOT NULL, attempt_count int NOT NULL DEFAULT 0, due_at timestamptz, lease_owner uuid, lease_until timestamptz,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX deliveries_due ON deliveries (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE attempts (
  account_id uuid NOT NULL, delivery_id uuid NOT NULL, number int NOT NULL, started_at timestamptz NOT NULL,
  duration_ms int NOT NULL, status_code int, error text, response_excerpt text,
  PRIMARY KEY (account_id, delivery_id, number)
);`

/** A table for the events that come with a record of about their size. */
export const records = `
CREATE TABLE assets (
  account_id uuid NOT NULL, id uuid NOT NULL, name text NOT NULL, asset_type text NOT NULL, category text,
  metadata text NOT NULL, file_url text, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX assets_newest ON assets (account_id, created_at, id);`

/** Events with their deliveries, born leased: $1 accounts, $2 ids, $3 names, $4 times, $5 payloads, $6 the lease's owner. */
export const accept = `
WITH event AS (
  INSERT INTO events (account_id, id, event, occurred_at, payload)
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::text[])
  RETURNING account_id, id, event
)
INSERT INTO deliveries (account_id, event_id, endpoint_id, status, due_at, lease_owner, lease_until)
SELECT e.account_id, e.id, p.id, 'delivering', now(), $6, now() + interval '1 minute'
FROM event e JOIN endpoints p ON p.account_id = e.account_id
WHERE p.status = 'active' AND (p.events = '{*}' OR e.event = ANY (p.events))
RETURNING id, event_id, endpoint_id`

/** The same, and a record with each event. */
export const acceptRecord: string = accept.replace(
  "WITH event",
  `WITH record AS (
  INSERT INTO assets (account_id, id, name, asset_type, metadata, created_at, updated_at)
  SELECT a, i, 'Asset', 'clipart', p, t, t
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::text[]) AS u (a, i, n, t, p)
), event`,
)

/** Deliveries by status. */
export const counts = "SELECT status, count(*)::int AS deliveries FROM deliveries GROUP BY status"

/** Results of attempts, written only under the lease: $1 accounts, $2 deliveries, $3–$7 the attempt, $8 the lease's owner. */
export const settle = `
WITH result AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::int[], $5::int[], $6::text[], $7::text[])
    AS r (account_id, delivery_id, started_at, duration_ms, status_code, error, response_excerpt)
), settled AS (
  UPDATE deliveries d
  SET status = 'succeeded', attempt_count = attempt_count + 1, due_at = NULL, lease_owner = NULL, lease_until = NULL
  FROM result r
  WHERE d.account_id = r.account_id AND d.id = r.delivery_id AND d.lease_owner = $8
  RETURNING d.account_id, d.id, d.attempt_count
)
INSERT INTO attempts (account_id, delivery_id, number, started_at, duration_ms, status_code, error, response_excerpt)
SELECT r.account_id, r.delivery_id, s.attempt_count, started_at, duration_ms, status_code, error, response_excerpt
FROM result r JOIN settled s ON s.account_id = r.account_id AND s.id = r.delivery_id`
