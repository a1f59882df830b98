/** What PostgreSQL's refusals mean: a conflict, a reference that leads nowhere, storage out of reach, or a bug. */
import { Errors, type Resource } from "@tc/domain"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import * as Refusals from "../Refusals.ts"
import { Unavailable } from "../Storage.ts"

/** SQLSTATE classes that say that the database, not the statement, is in trouble: connection, resources, operator. */
const outages = ["08", "53", "57"]
/** A standby, as after a failover: the next connection may lead to another. */
const READ_ONLY = "25006"
/** SQLSTATE classes that say that a row cannot be kept: its values, or a constraint. */
const refusals = ["22", "23"]
const outageReasons = new Set(["ConnectionError", "AuthenticationError", "AuthorizationError"])

const cause = (error: SqlError.SqlError) =>
  (error.reason.cause ?? {}) as { readonly code?: string; readonly constraint?: string }

const isOf = (classes: ReadonlyArray<string>, error: SqlError.SqlError) =>
  classes.includes(cause(error).code?.slice(0, 2) ?? "")

/** Whether a row was refused, and nothing else is wrong. */
export const isRefusal = (error: SqlError.SqlError): boolean => isOf(refusals, error)

/** A defect: `Unavailable` where waiting may help, the error itself where it will not. */
export const die = (error: SqlError.SqlError): Effect.Effect<never> =>
  Effect.die(
    outageReasons.has(error.reason._tag) || cause(error).code === READ_ONLY || isOf(outages, error)
      ? new Unavailable({ cause: error })
      : error,
  )

/** Two transactions that stood in each other's way: one of them may simply run again. */
export const isCollision = (error: unknown): boolean => {
  const reason = (error as { readonly reason?: { readonly _tag?: string } } | null)?.reason?._tag
  return reason === "DeadlockError" || reason === "SerializationError"
}

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
