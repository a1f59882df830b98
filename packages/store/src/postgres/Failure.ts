/** What PostgreSQL's refusals mean: a conflict, a reference that leads nowhere, storage out of reach, or a bug. */
import { Errors, type Resource } from "@tc/domain"
import { type Cause, Effect, Schedule } from "effect"
import { SqlError } from "effect/sql"
import * as Refusals from "../Refusals.ts"
import { Unavailable } from "../Storage.ts"

/**
 * How the SQLSTATE begins when the database, not the statement, is in trouble: connection, read-only after a failover,
 * transactions in each other's way, resources, locks, operator.
 */
const outages = ["08", "25006", "40", "53", "55P03", "57"]
const outageReasons = new Set(["ConnectionError", "AuthenticationError", "AuthorizationError"])
/** How it begins when a value is at fault: not of its type, or against a constraint. */
const values = ["22", "23"]

/** How often a transaction that met another runs again. */
const COLLISION_RETRIES = 5
/** Milliseconds before the first of these; each doubles the one before. Collisions that meet again at once would collide again. */
const PAUSE_MS = 5
const pause = Schedule.jittered(Schedule.exponential(2 * PAUSE_MS))

const cause = (error: SqlError.SqlError) =>
  (error.reason.cause ?? {}) as { readonly code?: string; readonly constraint?: string }

const begins = (error: SqlError.SqlError, codes: ReadonlyArray<string>): boolean =>
  codes.some((code) => cause(error).code?.startsWith(code))

/** A defect: `Unavailable` where waiting may help, the error itself where it will not. */
const die = (error: SqlError.SqlError): Effect.Effect<never> =>
  Effect.die(outageReasons.has(error.reason._tag) || begins(error, outages) ? new Unavailable({ cause: error }) : error)

/** The first SqlError there is, as a failure or a defect: where a connection breaks, the rollback dies of it too. */
const sqlErrorOf = (cause: Cause.Cause<unknown>): SqlError.SqlError | undefined =>
  cause.reasons
    .map((reason) => (reason._tag === "Fail" ? reason.error : reason._tag === "Die" ? reason.defect : undefined))
    .find(SqlError.isSqlError)

/** Has the database's errors die, as `Unavailable` where waiting may help. */
export const orDie = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError.SqlError>, R> =>
  Effect.catchCause(effect, (cause) => {
    const error = sqlErrorOf(cause)
    // Without one, what is left is no SqlError.
    return error === undefined ? Effect.failCause(cause as Cause.Cause<Exclude<E, SqlError.SqlError>>) : die(error)
  })

/** Whether a row was refused for what it holds, so that other rows may well be written without it. */
export const isOfRow = (error: SqlError.SqlError): boolean => begins(error, values)

/** Two transactions that stood in each other's way: one of them may simply run again. */
const isCollision = (error: unknown): boolean => {
  const reason = (error as { readonly reason?: { readonly _tag?: string } } | null)?.reason?._tag
  return reason === "DeadlockError" || reason === "SerializationError"
}

/** Runs a transaction again after a collision with another. To watch over each from the start costs more than a small one. */
export const again = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.catchIf(effect, isCollision, () => Effect.delay(repeated(effect), PAUSE_MS))

const repeated = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.retry(effect, { while: isCollision, times: COLLISION_RETRIES - 1, schedule: pause })

/** The refusal of a write to a resource's table, by the name of the constraint it met. */
export const refusal = (
  resource: Resource.Any,
  error: SqlError.SqlError,
): Effect.Effect<never, Errors.Conflict | Errors.Invalid> => {
  const { constraint } = cause(error)
  if (constraint === `${resource.path}_pkey`) return Effect.fail(Refusals.idTaken(resource))
  for (const [column, code] of Object.entries(resource.unique ?? {})) {
    if (constraint === `${resource.path}_${column}_key`) return Effect.fail(Refusals.valueTaken(column, code))
  }
  for (const [field, { name }] of Object.entries(resource.references ?? {})) {
    if (constraint === `${resource.path}_${field}_fkey`) return Effect.fail(Errors.missingReference(field, name))
  }
  return die(error)
}
