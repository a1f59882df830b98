/** Tallies: how the attempts of accounts went by the minute, and those of endpoints by the hour. */

/** As many attempts in each bucket of durations. */
const took = Array.from({ length: 14 }, (_, bucket) => `took_${bucket} bigint NOT NULL`).join(", ")

const outcomes = "succeeded bigint NOT NULL, retried bigint NOT NULL, failed bigint NOT NULL"

// No index has a column that is counted up, so that counting writes to none. They refer to nothing: what is over goes by its age.
export const statements: ReadonlyArray<string> = [
  `CREATE TABLE tc.account_tallies (
    account_id uuid NOT NULL,
    minute timestamptz NOT NULL,
    ${outcomes},
    ${took},
    PRIMARY KEY (account_id, minute)
  )`,
  `CREATE INDEX account_tallies_age ON tc.account_tallies (minute)`,
  `CREATE TABLE tc.endpoint_tallies (
    account_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    hour timestamptz NOT NULL,
    latest_at timestamptz NOT NULL,
    ${outcomes},
    PRIMARY KEY (account_id, endpoint_id, hour)
  )`,
  `CREATE INDEX endpoint_tallies_age ON tc.endpoint_tallies (hour)`,
]
