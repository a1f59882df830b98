/** The kinds of values that record fields hold: text, URLs, timestamps, free-form JSON. A value's decoded and encoded forms are the same. */
import { Schema, SchemaTransformation } from "effect"
import * as Json from "./Json.ts"
import * as Limits from "./Limits.ts"

/** PostgreSQL cannot keep U+0000, and a lone surrogate has no UTF-8 form: both would come back changed. */
const storable = Schema.makeFilter<string>((text) =>
  text.isWellFormed() && !text.includes("\u0000") ? undefined : "must be well-formed text without U+0000",
)

const text = (maximum: number) =>
  Schema.String.check(Schema.isMaxCodePoints(maximum, { expected: `at most ${maximum} characters` }), storable)

const nonEmptyText = (maximum: number) =>
  Schema.String.check(
    Schema.isMinCodePoints(1, { expected: "at least 1 character" }),
    Schema.isMaxCodePoints(maximum, { expected: `at most ${maximum} characters` }),
    storable,
  )

/** A record's name: 1 to 255 characters. */
export const Name = nonEmptyText(Limits.NAME_MAX_CHARACTERS)

/** A long text: up to 65,535 characters. */
export const Text = text(Limits.TEXT_MAX_CHARACTERS)

/** A short text: up to 255 characters. */
export const Label = text(Limits.LABEL_MAX_CHARACTERS)

/** A token that identifies something: 1 to 255 characters. */
export const Token = nonEmptyText(Limits.LABEL_MAX_CHARACTERS)

/** A store's platform: any word of 1 to 64 characters, the list being open. */
export const Platform = nonEmptyText(Limits.PLATFORM_MAX_CHARACTERS)

/** `URL` repairs much in silence: a missing or third slash, spaces around and line breaks inside. None of it is taken. */
const HTTP_URL = /^https?:\/\/[^\s/\\]\S*$/iu

/** What the generator of test values makes; the check alone decides. */
const EXAMPLE_URLS = { source: "^https?://[a-z]{1,20}\\.example/[a-z0-9/]{0,40}$", flags: "u" }

/**
 * An absolute http(s) URL up to 2,048 characters. Its JSON Schema names no `format`: a `uri` has no letters beyond ASCII, and
 * what a person types may.
 */
export const Url = Schema.String.annotate({ description: "An absolute http or https URL." }).check(
  Schema.isMaxLength(Limits.URL_MAX_CHARACTERS, { expected: `at most ${Limits.URL_MAX_CHARACTERS} characters` }),
  storable,
  Schema.makeFilter<string>(
    (value) => (HTTP_URL.test(value) && URL.canParse(value) ? undefined : "must be an absolute http or https URL"),
    { arbitraryConstraint: { patterns: [EXAMPLE_URLS] } },
  ),
)

const TIMESTAMP = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/u

/** The pattern lets the days 29 to 31 into every month, and a year 0 that PostgreSQL does not know. */
const isDay = (value: string): boolean =>
  value > "0001" && (value.slice(8, 10) < "29" || new Date(value).toJSON() === value)

/** An ISO 8601 UTC timestamp with milliseconds and `Z`, the form in which every time is stored, compared and sent. */
export const Timestamp = Schema.String.annotate({ format: "date-time" }).check(
  Schema.isPattern(TIMESTAMP, { expected: "an ISO 8601 UTC timestamp with milliseconds" }).abort(),
  Schema.makeFilter<string>((value) => (isDay(value) ? undefined : "must be a day of the calendar")),
)

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/u

/** A time as callers may write it: ISO 8601 with `Z` or an offset. It becomes a timestamp, finer parts than milliseconds left out. */
export const Instant = Schema.String.annotate({ format: "date-time" })
  .check(
    Schema.isPattern(INSTANT, { expected: "an ISO 8601 time with a zone, such as 2026-11-03T14:05:27Z" }).abort(),
    Schema.makeFilter<string>((value) =>
      Number.isNaN(Date.parse(value)) ? "must be a time of the calendar" : undefined,
    ),
  )
  .pipe(
    Schema.decodeTo(
      Timestamp,
      SchemaTransformation.transform<string, string>({
        decode: (value) => new Date(value).toISOString(),
        encode: (value) => value,
      }),
    ),
  )

let latest = { millis: 0, text: "1970-01-01T00:00:00.000Z" }

/** Milliseconds since 1970 as a timestamp. Under load the same millisecond is asked for many times. */
export const timestamp = (millis: number): string => {
  if (millis !== latest.millis) latest = { millis, text: new Date(millis).toISOString() }
  return latest.text
}

/** A width or height: 1 to 100,000 pixels. */
export const Pixels = Schema.Int.check(
  Schema.isBetween(
    { minimum: 1, maximum: Limits.PIXELS_MAX },
    { expected: `an integer from 1 to ${Limits.PIXELS_MAX}` },
  ),
)

/** A display position, from 0. */
export const Position = Schema.Int.check(
  Schema.isBetween(
    { minimum: 0, maximum: Limits.POSITION_MAX },
    { expected: `an integer from 0 to ${Limits.POSITION_MAX}` },
  ),
)

/** A count, from 0. */
export const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** A free-form JSON object, kept as it was sent: key order, unknown keys and all. */
export const JsonObject = Schema.Record(Schema.String, Schema.Unknown).check(Json.storable)

/** A free-form JSON array, kept as it was sent. */
export const JsonArray = Schema.Array(Schema.Unknown).check(Json.storable)

/** A shop's domain, with or without a scheme: up to 2,048 characters. */
export const Domain = text(Limits.URL_MAX_CHARACTERS)
