/** Where an endpoint's requests went and what signed them before it was changed, for as long as attempts are kept that they made. */

// Ids grow with `until`, so that what is old is found by the primary key. The microseconds of `attempts.started_at` say from now
// on which settings an attempt was sent with; those of earlier attempts are 0.
export const statements: ReadonlyArray<string> = [
  `CREATE TABLE tc.former_settings (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    url text NOT NULL,
    secret text NOT NULL,
    until timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    CONSTRAINT former_settings_endpoint_id_fkey FOREIGN KEY (account_id, endpoint_id)
      REFERENCES tc.webhook_endpoints (account_id, id) ON DELETE CASCADE
  )`,
  `CREATE INDEX former_settings_endpoint ON tc.former_settings (account_id, endpoint_id, id)`,
]
