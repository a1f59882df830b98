/** What decoding says of an input. */
import { Result, Schema, SchemaIssue } from "effect"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The JSON pointers of all wrong fields, each once; none when the input is taken. */
export const wrong = (schema: Schema.Codec<unknown, unknown>, input: unknown): ReadonlyArray<string> =>
  Result.match(Schema.decodeUnknownResult(schema, { errors: "all" })(input), {
    onSuccess: () => [],
    onFailure: ({ issue }) => [...new Set(format(issue).issues.map(({ path = [] }) => path.map(token).join("")))],
  })

const token = (key: PropertyKey | { readonly key: PropertyKey }): string =>
  `/${String(typeof key === "object" ? key.key : key)}`

/** Whether the input is taken. */
export const takes = (schema: Schema.Codec<unknown, unknown>, input: unknown): boolean =>
  wrong(schema, input).length === 0
