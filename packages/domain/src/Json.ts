/** Free-form JSON inside records: what is taken, and when two values are the same. */
import { Schema } from "effect"
import * as Limits from "./Limits.ts"

/** A JSON object as `JSON.parse` gives it. */
export type JsonObject = { readonly [key: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const isArray = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

/** Why a value cannot be kept, or undefined. */
export const problem = (value: unknown): string | undefined => problemAt(value, 1)

/** It goes no deeper than the limit, so nested brackets cannot overflow the stack, and it copies nothing. */
const problemAt = (value: unknown, depth: number): string | undefined => {
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : "must not hold a number outside the range of a double"
  }
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined
  if (typeof value !== "object") return "must hold JSON values only"
  if (depth > Limits.JSON_MAX_DEPTH) return `must not nest deeper than ${Limits.JSON_MAX_DEPTH} levels`
  for (const child of isArray(value) ? value : Object.values(value)) {
    const found = problemAt(child, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** The check that every free-form field carries. */
export const storable = Schema.makeFilter<unknown>((value) => problem(value))

/** Whether two JSON values are the same, whatever the order of their keys. */
export const equals = (left: unknown, right: unknown): boolean => {
  if (left === right) return true
  if (isArray(left)) {
    return isArray(right) && left.length === right.length && left.every((item, index) => equals(item, right[index]))
  }
  if (!isObject(left) || !isObject(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equals(left[key], right[key]))
  )
}
