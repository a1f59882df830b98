/** What a schema refused, as one entry for each wrong field: a JSON pointer and what is wrong there. */
import type { Errors } from "@tc/domain"
import { SchemaIssue } from "effect"

/** Entries at most, however much of a body is wrong. */
const MAX_ERRORS = 100

export const fieldErrors = (issue: SchemaIssue.Issue): ReadonlyArray<Errors.FieldError> => {
  const found = new Map<string, string>()
  collect(issue, "", found)
  return Array.from(found, ([path, message]) => ({ path, message }))
}

/** Walks to the leaves. The first thing that is wrong with a field is told, and stands for the others. */
const collect = (issue: SchemaIssue.Issue, path: string, found: Map<string, string>): void => {
  if (found.size >= MAX_ERRORS) return
  if (issue._tag === "Pointer") return collect(issue.issue, issue.path.reduce(append, path), found)
  if (issue._tag === "Encoding") return collect(issue.issue, path, found)
  if (issue._tag === "Composite") return issue.issues.forEach((inner) => collect(inner, path, found))
  const [only, ...others] = issue._tag === "AnyOf" ? issue.issues : []
  if (only !== undefined && others.length === 0) return collect(only, path, found)
  if (!found.has(path)) found.set(path, message(issue, path))
}

const append = (path: string, key: PropertyKey) =>
  `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const message = (issue: SchemaIssue.Issue, path: string): string => {
  if (path === "") return "must be a JSON object"
  if (issue._tag === "AnyOf") {
    const own = issue.ast.annotations?.["message"]
    if (typeof own === "string") return own
    // What each member of a union says of the value is of no use: say what the union takes.
    return sentence(format(new SchemaIssue.AnyOf(issue.ast, [])).issues[0]?.message ?? "")
  }
  return sentence(format(issue).issues[0]?.message ?? "")
}

/** The schema library's words as the end of a sentence about the field. */
const sentence = (text: string): string => {
  if (text === "Missing key") return "is required"
  const [, expected] = /^Expected (.+)$/s.exec(text) ?? []
  if (expected === undefined) return text === "" ? "is not valid" : text
  const [last = "", ...first] = expected.split(" | ").map(noun).toReversed()
  return `must be ${first.length === 0 ? last : `${first.toReversed().join(", ")} or ${last}`}`
}

const nouns: { readonly [type: string]: string } = {
  string: "a string",
  number: "a number",
  boolean: "a boolean",
  array: "an array",
  object: "an object",
}

/** A name in capitals is that of a schema, and all of those are objects here. */
const noun = (type: string): string => nouns[type] ?? (/^[A-Z]\w*$/.test(type) ? "an object" : type)
