import { assert, describe, it } from "@effect/vitest"
import type { Schema } from "effect"
import { Value } from "../src/index.ts"
import { takes } from "./Wrong.ts"

type Case = readonly [sentence: string, schema: Schema.Codec<unknown, unknown>, input: unknown]

const taken = (cases: ReadonlyArray<Case>) => {
  for (const [sentence, schema, input] of cases) it(`takes ${sentence}`, () => assert.isTrue(takes(schema, input)))
}
const refused = (cases: ReadonlyArray<Case>) => {
  for (const [sentence, schema, input] of cases) it(`refuses ${sentence}`, () => assert.isFalse(takes(schema, input)))
}

const url = (length: number) => "https://a.example/".padEnd(length, "x")

describe("texts", () => {
  taken([
    ["a name of 1 character", Value.Name, "a"],
    ["a name of 255 characters", Value.Name, "a".repeat(255)],
    ["a name of 255 characters outside the basic plane", Value.Name, "😀".repeat(255)],
    ["a token of 255 characters", Value.Token, "a".repeat(255)],
    ["a platform of 64 characters", Value.Platform, "a".repeat(64)],
    ["an empty label", Value.Label, ""],
    ["a label of 255 characters", Value.Label, "a".repeat(255)],
    ["an empty text", Value.Text, ""],
    ["a text of 65,535 characters", Value.Text, "a".repeat(65_535)],
    ["a domain without a scheme", Value.Domain, "shop.example"],
    ["a domain of 2,048 characters", Value.Domain, "a".repeat(2_048)],
    ["line breaks, tabs and emoji", Value.Text, "a\r\n\t😀"],
  ])
  refused([
    ["an empty name", Value.Name, ""],
    ["a name of 256 characters", Value.Name, "a".repeat(256)],
    ["a name of 256 characters outside the basic plane", Value.Name, "😀".repeat(256)],
    ["an empty token", Value.Token, ""],
    ["a token of 256 characters", Value.Token, "a".repeat(256)],
    ["an empty platform", Value.Platform, ""],
    ["a platform of 65 characters", Value.Platform, "a".repeat(65)],
    ["a label of 256 characters", Value.Label, "a".repeat(256)],
    ["a text of 65,536 characters", Value.Text, "a".repeat(65_536)],
    ["a domain of 2,049 characters", Value.Domain, "a".repeat(2_049)],
    ["U+0000 in a name", Value.Name, "a\u0000b"],
    ["U+0000 in a text", Value.Text, "\u0000"],
    ["U+0000 in a URL", Value.Url, "https://a.example/\u0000"],
    ["a lone high surrogate", Value.Name, "a\ud83d"],
    ["a lone low surrogate", Value.Text, "\ude00a"],
    ["surrogates in the wrong order", Value.Label, "\ude00\ud83d"],
    ["a number for a name", Value.Name, 1],
    ["null for a name", Value.Name, null],
  ])
})

describe("URLs", () => {
  taken([
    ["https", Value.Url, "https://a.example"],
    ["http", Value.Url, "http://a.example"],
    ["a scheme in upper case", Value.Url, "HTTPS://a.example/x"],
    ["a port, a path, a query and a fragment", Value.Url, "https://a.example:8443/b/c?d=e&f=%20#g"],
    ["an address", Value.Url, "http://[::1]:3000/"],
    ["letters of any script", Value.Url, "https://bücher.example/straße"],
    ["2,048 characters", Value.Url, url(2_048)],
  ])
  refused([
    ["2,049 characters", Value.Url, url(2_049)],
    ["an empty text", Value.Url, ""],
    ["a path", Value.Url, "/a/b.png"],
    ["a domain", Value.Url, "a.example"],
    ["a URL without a scheme", Value.Url, "//a.example/b"],
    ["a URL without slashes", Value.Url, "http:foo"],
    ["a URL with one slash", Value.Url, "http:/a.example"],
    ["a URL with three slashes", Value.Url, "http:///a.example"],
    ["backslashes for slashes", Value.Url, "http:\\\\a.example"],
    ["a URL without a host", Value.Url, "https://"],
    ["a host that is none", Value.Url, "https://a b.example"],
    ["a port that is none", Value.Url, "https://a.example:99999"],
    ["javascript:", Value.Url, "javascript:alert(1)"],
    ["data:", Value.Url, "data:text/plain,a"],
    ["ftp:", Value.Url, "ftp://a.example/b"],
    ["file:", Value.Url, "file:///etc/passwd"],
    ["a space in front", Value.Url, " https://a.example"],
    ["a space at the end", Value.Url, "https://a.example "],
    ["a space inside", Value.Url, "https://a.example/b c"],
    ["a line break inside", Value.Url, "https://a.example/b\nc"],
  ])
})

describe("timestamps", () => {
  taken([
    ["milliseconds and Z", Value.Timestamp, "2026-11-21T09:30:00.000Z"],
    ["29 February of a leap year", Value.Timestamp, "2024-02-29T23:59:59.999Z"],
    ["31 December", Value.Timestamp, "2026-12-31T00:00:00.000Z"],
    ["what `timestamp` makes", Value.Timestamp, Value.timestamp(1_763_717_400_123)],
  ])
  refused([
    ["no milliseconds", Value.Timestamp, "2026-11-21T09:30:00Z"],
    ["microseconds", Value.Timestamp, "2026-11-21T09:30:00.000000Z"],
    ["an offset", Value.Timestamp, "2026-11-21T09:30:00.000+01:00"],
    ["no zone", Value.Timestamp, "2026-11-21T09:30:00.000"],
    ["a date", Value.Timestamp, "2026-11-21"],
    ["month 13", Value.Timestamp, "2026-13-01T00:00:00.000Z"],
    ["day 0", Value.Timestamp, "2026-01-00T00:00:00.000Z"],
    ["30 February", Value.Timestamp, "2026-02-30T00:00:00.000Z"],
    ["29 February of another year", Value.Timestamp, "2026-02-29T00:00:00.000Z"],
    ["31 April", Value.Timestamp, "2026-04-31T00:00:00.000Z"],
    ["24 o'clock", Value.Timestamp, "2026-01-01T24:00:00.000Z"],
    ["a leap second", Value.Timestamp, "2026-06-30T23:59:60.000Z"],
    ["year 0", Value.Timestamp, "0000-01-01T00:00:00.000Z"],
    ["a line break at the end", Value.Timestamp, "2026-11-21T09:30:00.000Z\n"],
  ])
})

describe("numbers", () => {
  taken([
    ["1 pixel", Value.Pixels, 1],
    ["100,000 pixels", Value.Pixels, 100_000],
    ["position 0", Value.Position, 0],
    ["position 1,000,000", Value.Position, 1_000_000],
    ["a count of 0", Value.Count, 0],
  ])
  refused([
    ["0 pixels", Value.Pixels, 0],
    ["100,001 pixels", Value.Pixels, 100_001],
    ["half a pixel", Value.Pixels, 1.5],
    ["a text for pixels", Value.Pixels, "100"],
    ["position -1", Value.Position, -1],
    ["position 1,000,001", Value.Position, 1_000_001],
    ["a count of -1", Value.Count, -1],
    ["a number that is none", Value.Count, Number.NaN],
  ])
})

describe("free-form JSON", () => {
  taken([
    ["an empty object", Value.JsonObject, {}],
    ["an object with every kind of value", Value.JsonObject, { a: null, b: [true, 1.5, "c"], d: { e: {} } }],
    ["an empty array", Value.JsonArray, []],
  ])
  refused([
    ["an array for an object", Value.JsonObject, []],
    ["an object for an array", Value.JsonArray, {}],
    ["a text for an object", Value.JsonObject, "{}"],
    ["a number that JSON.parse made infinite", Value.JsonObject, JSON.parse('{"a":[1e999]}')],
  ])
})
