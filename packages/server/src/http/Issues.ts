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

/**
 * Walks to the leaves. The first thing that is wrong with a field is told, and stands for the others. `union` is what the
 * union around it says of itself: what its members say of a value of another type is of no use.
 */
const collect = (issue: SchemaIssue.Issue, path: string, found: Map<string, string>, union?: string): void => {
  if (found.size >= MAX_ERRORS) return
  switch (issue._tag) {
    case "Pointer":
      return collect(issue.issue, issue.path.reduce(append, path), found)
    case "Encoding":
      return collect(issue.issue, path, found, union)
    case "Composite":
      return issue.issues.forEach((inner) => collect(inner, path, found, union))
    case "AnyOf": {
      const own = messageOf(issue) ?? union
      const [only, ...others] = issue.issues
      if (only !== undefined && others.length === 0) return collect(only, path, found, own)
      return tell(new SchemaIssue.AnyOf(issue.ast, []), path, found, own)
    }
    case "InvalidType":
      return tell(issue, path, found, union)
    default:
      return tell(issue, path, found)
  }
}

const messageOf = ({ ast }: SchemaIssue.AnyOf): string | undefined => {
  const message = ast.annotations?.["message"]
  return typeof message === "string" ? message : undefined
}

const append = (path: string, key: PropertyKey) => `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const tell = (issue: SchemaIssue.Issue, path: string, found: Map<string, string>, message?: string): void => {
  if (found.has(path)) return
  found.set(path, path === "" ? "must be a JSON object" : (message ?? sentence(format(issue).issues[0]?.message ?? "")))
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
