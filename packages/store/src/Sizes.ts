/** Sizes in bytes, which no count bounds: of one record, and of all that is on a page. */
import { Errors, Limits } from "@tc/domain"
import { Result } from "effect"

const MIB = 1024 * 1024
/** Bytes that one character of a string takes in UTF-8 at most. */
const WIDEST = 3

/** Bytes that one takes in JSON at most, as `\u001f` does. */
const ESCAPED = 6
/** Bytes that the name of a field takes with all around it at most, and a value that is no string. */
const AROUND = 128

const encoder = new TextEncoder()

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

/** Whether texts have `max` bytes together at most. They are counted only where their length leaves that open. */
const within = (texts: ReadonlyArray<string>, max: number): boolean => {
  const length = sum(texts.map((text) => text.length))
  if (length > max || length * WIDEST <= max) return length <= max
  return sum(texts.map((text) => encoder.encode(text).length)) <= max
}

const fitting = (text: string, what: string): Result.Result<void, Errors.Invalid> => {
  const max = Limits.RECORD_MAX_BYTES
  if (within([text], max)) return Result.void
  return Result.fail(
    Errors.invalid([{ path: "", message: `would make ${what} of more than ${max / MIB} MiB of JSON` }]),
  )
}

/** Whether values are small enough to make no record that is too large, whatever has to be escaped in them. */
const areSmall = (values: ReadonlyArray<unknown>): boolean => {
  const length = sum(values.map((value) => (typeof value === "string" ? value.length : 0)))
  return length * ESCAPED + values.length * AROUND <= Limits.RECORD_MAX_BYTES
}

/**
 * Fails when a row makes a record that is too large. Where its values are at hand as they are written, objects as JSON, they
 * tell nearly always that it is not, and no text has to be made to find out.
 */
export const fits = (row: object, values?: ReadonlyArray<unknown>): Result.Result<void, Errors.Invalid> =>
  values !== undefined && areSmall(values) ? Result.void : fitting(JSON.stringify(row), "a record")

/** Fails when the text of an event is too large. */
export const fitsEvent = (tail: string): Result.Result<void, Errors.Invalid> => fitting(tail, "an event")

/** What is said of a page that is too large. */
export const pageTooLarge = (max_bytes: number): Errors.Invalid =>
  Errors.invalid([
    { path: "/per_page", message: `asks for more than ${max_bytes / MIB} MiB: these records are large, ask for fewer` },
  ])

/** A page, unless its rows, given as JSON, are too large together. */
export const page = <A>(
  page: A,
  texts: ReadonlyArray<string>,
  max_bytes: number = Limits.LIST_MAX_BYTES,
): Result.Result<A, Errors.Invalid> =>
  within(texts, max_bytes) ? Result.succeed(page) : Result.fail(pageTooLarge(max_bytes))
