/** Tallies in PostgreSQL. */
import { type Id, Tally, Trouble, Value, WebhookEndpoint } from "@tc/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Service from "../Tallies.ts"
import * as Columns from "./Columns.ts"
import * as Failure from "./Failure.ts"
import * as Planning from "./Planning.ts"
import * as Pruning from "./Pruning.ts"
import * as Table from "./Table.ts"

const endpoints = Table.make(WebhookEndpoint.resource)

const outcomes = ["succeeded", "retried", "failed"] as const
const durations = Array.from({ length: Tally.BUCKETS }, (_, bucket) => `took_${bucket}`)
const counts = [...outcomes, ...durations]

const sums = (columns: ReadonlyArray<string>, as = "") =>
  columns.map((name) => `sum(${name})${as} AS ${name}`).join(", ")
const countedUp = (columns: ReadonlyArray<string>) =>
  columns.map((name) => `${name} = t.${name} + excluded.${name}`).join(", ")

// Rows are written in the order of their keys, and the tables in one order, so that no two statements wait for each other.
const addText = `
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[],
      ${counts.map((_, nth) => `$${nth + 5}::bigint[]`).join(", ")}
    ) AS g (account_id, endpoint_id, minute, latest_at, ${counts.join(", ")})
  ), hours AS (
    INSERT INTO tc.endpoint_tallies AS t (account_id, endpoint_id, hour, latest_at, ${outcomes.join(", ")})
    SELECT account_id, endpoint_id, date_trunc('hour', minute, 'UTC') AS hour, max(latest_at), ${sums(outcomes)}
    FROM given GROUP BY account_id, endpoint_id, hour ORDER BY account_id, endpoint_id, hour
    ON CONFLICT (account_id, endpoint_id, hour) DO UPDATE SET
      latest_at = greatest(t.latest_at, excluded.latest_at), ${countedUp(outcomes)}
  )
  INSERT INTO tc.account_tallies AS t (account_id, minute, ${counts.join(", ")})
  SELECT account_id, minute, ${sums(counts)} FROM given GROUP BY account_id, minute ORDER BY account_id, minute
  ON CONFLICT (account_id, minute) DO UPDATE SET ${countedUp(counts)}`

const stepsText = `
  SELECT (floor(extract(epoch FROM minute) * 1000 / $4::bigint) * $4::bigint)::float8 AS at, ${sums(counts, "::float8")}
  FROM tc.account_tallies WHERE account_id = $1 AND minute >= $2 AND minute < $3 GROUP BY at ORDER BY at`

const sumsSince = outcomes
  .map((name) => `coalesce(sum(${name}) FILTER (WHERE hour >= $3), 0)::float8 AS ${name}`)
  .join(", ")

const ofEndpointsText = `
  SELECT endpoint_id, max(latest_at) AS latest_at, ${sumsSince}
  FROM tc.endpoint_tallies WHERE account_id = $1 AND endpoint_id = ANY($2::uuid[]) GROUP BY endpoint_id`

/** As `Trouble` says, of the endpoints of an account that have failed in anything: others are not looked at. */
export const troubledText = `
  WITH failing AS MATERIALIZED (
    SELECT id AS endpoint_id FROM ${endpoints.table}
    WHERE account_id = $1 AND (status = 'auto-disabled' OR consecutive_failures > 0)
    UNION
    SELECT endpoint_id FROM tc.endpoint_tallies WHERE account_id = $1 AND hour >= $2 AND has_failures
  )
  SELECT w.*, (
    SELECT max(latest_at) FROM tc.endpoint_tallies t WHERE t.account_id = w.account_id AND t.endpoint_id = w.id
  ) AS latest_at
  FROM (
    SELECT ${endpoints.columns}, s.succeeded, s.retried, s.failed,
      coalesce(s.succeeded / nullif(s.succeeded + s.retried + s.failed, 0), 1) AS rate
    FROM failing JOIN ${endpoints.table} e ON e.account_id = $1 AND e.id = failing.endpoint_id LEFT JOIN LATERAL (
      SELECT ${outcomes.map((name) => `coalesce(sum(${name}), 0)::float8 AS ${name}`).join(", ")}
      FROM tc.endpoint_tallies t WHERE t.account_id = e.account_id AND t.endpoint_id = e.id AND t.hour >= $2
    ) AS s ON true
  ) AS w
  WHERE status = 'auto-disabled' OR status = 'active' AND (consecutive_failures > 0 OR rate < $3)
  ORDER BY status = 'auto-disabled' DESC, consecutive_failures DESC, rate, id LIMIT $4`

type Outcomes = { readonly [name in (typeof outcomes)[number]]: number }
type Row = Outcomes & { readonly at: number } & { readonly [bucket: string]: number }
type ActivityRow = Outcomes & { readonly latest_at: Date | null }
type OfEndpointRow = ActivityRow & { readonly endpoint_id: Id.WebhookEndpointId }

const activityOf = ({ succeeded, retried, failed, latest_at }: ActivityRow): Service.Activity => ({
  outcomes: { succeeded, retried, failed },
  latest_at: latest_at?.getTime() ?? null,
})

/** What is added as the statement takes it, column by column. */
const given = (counted: ReadonlyArray<Service.Counted>): ReadonlyArray<unknown> => {
  const column = (of: (one: Service.Counted) => unknown) => Columns.of(counted.map(of))
  return [
    column(({ account_id }) => account_id),
    column(({ endpoint_id }) => endpoint_id),
    column(({ minute }) => Value.timestamp(minute)),
    column(({ latest_at }) => Value.timestamp(latest_at)),
    ...outcomes.map((name) => column((one) => one[name])),
    ...durations.map((_, bucket) => column((one) => one.durations[bucket]!)),
  ]
}

const sinceHour = (millis: number) => Value.timestamp(Service.beginningOf(millis, Service.HOUR_MS))

export const layer = Layer.effect(
  Service.Tallies,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const read = <A extends object>(text: string, params: ReadonlyArray<unknown>) =>
      Planning.byKey(sql, sql.unsafe<A>(text, params)).pipe(Failure.orDie)
    return Service.Tallies.of({
      add: (counted) => sql.unsafe(addText, given(counted)).pipe(Effect.asVoid, Failure.orDie),
      steps: (account_id, { from, until, step_ms }) =>
        Effect.map(read<Row>(stepsText, [account_id, Value.timestamp(from), Value.timestamp(until), step_ms]), (rows) =>
          rows.map(({ at, succeeded, retried, failed, ...took }) => ({
            at,
            succeeded,
            retried,
            failed,
            durations: durations.map((name) => took[name]!),
          })),
        ),
      ofEndpoints: (account_id, ids, since) =>
        Effect.map(read<OfEndpointRow>(ofEndpointsText, [account_id, ids, sinceHour(since)]), (rows) =>
          rows.map((row) => ({ endpoint_id: row.endpoint_id, ...activityOf(row) })),
        ),
      troubled: (account_id, { since, limit }) =>
        Effect.map(
          read<ActivityRow>(troubledText, [account_id, sinceHour(since), Trouble.SUCCESS_RATE_MIN, limit]),
          (rows) => rows.map((row) => ({ endpoint: endpoints.decode(row), ...activityOf(row) })),
        ),
      prune: (before) =>
        Effect.gen(function* () {
          const params = [sinceHour(before)]
          yield* Pruning.prune(sql, "account_tallies", "account_id, minute", "minute < $1", params)
          yield* Pruning.prune(sql, "endpoint_tallies", "account_id, endpoint_id, hour", "hour < $1", params)
        }).pipe(Failure.orDie),
    })
  }),
)
