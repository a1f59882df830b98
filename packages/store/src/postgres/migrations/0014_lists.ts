/** Lists of designs and of keys, and endpoints in trouble: each is read off an index, and no more of it than it takes. */

export const statements: ReadonlyArray<string> = [
  // A list that is narrowed, and its total, read this alone: entry by entry, not row by row. One index more for each filter made a
  // create write a tenth more, this one a thirtieth. Neither of the two columns changes while somebody draws.
  `CREATE INDEX designs_listed ON tc.designs (account_id, created_at, id, status, store_id)`,
  `DROP INDEX tc.designs_newest`,
  `CREATE INDEX api_keys_newest ON tc.api_keys (account_id, created_at, id)`,
  `CREATE INDEX webhook_endpoints_troubled ON tc.webhook_endpoints (account_id, id)
    WHERE status = 'auto-disabled' OR consecutive_failures > 0`,
  // A column of its own, which changes once: so that counting still writes to no index.
  `ALTER TABLE tc.endpoint_tallies ADD COLUMN has_failures boolean NOT NULL GENERATED ALWAYS AS (retried + failed > 0) STORED`,
  `CREATE INDEX endpoint_tallies_failures ON tc.endpoint_tallies (account_id, hour, endpoint_id) WHERE has_failures`,
]
