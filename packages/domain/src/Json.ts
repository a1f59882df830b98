/** Free-form JSON inside records: what is taken, and when two values are the same. */
import { Schema } from "effect"
import * as Limits from "./Limits.ts"

/** A JSON object as `JSON.parse` gives it. */
export type JsonObject = { readonly [key: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const isArray = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

/**
 * Why a value cannot be kept, or undefined. It walks without recursion, for a body of nested brackets would overflow
 * the stack here, in `JSON.stringify` and in PostgreSQL's parser.
 */
export const problem = (value: unknown): string | undefined => {
  const pending: Array<readonly [unknown, number]> = [[value, 1]]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [item, depth] = next
    if (typeof item === "number" && !Number.isFinite(item)) return "must not hold a number outside the range of a double"
    if (typeof item !== "object" || item === null) continue
    if (depth > Limits.JSON_MAX_DEPTH) return `must not nest deeper than ${Limits.JSON_MAX_DEPTH} levels`
    for (const child of Object.values(item)) pending.push([child, depth + 1])
  }
  return undefined
}

/** The check that every free-form field carries. */
export const storable = Schema.makeFilter<unknown>(problem)

/** Whether two JSON values are the same, whatever the order of their keys. */
export const equals = (left: unknown, right: unknown): boolean => {
  if (left === right) return true
  if (isArray(left)) {
    return isArray(right) && left.length === right.length && left.every((item, index) => equals(item, right[index]))
  }
  if (!isObject(left) || !isObject(right) || isArray(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equals(left[key], right[key]))
  )
}
