/** The people of an account: who signs in to the dashboard, and what each may do there. */
import { Result, Schema, SchemaTransformation } from "effect"
import * as Errors from "./Errors.ts"
import * as Id from "./Id.ts"
import * as Limits from "./Limits.ts"
import * as Value from "./Value.ts"

/** `viewer` sees all but secrets, `developer` changes keys and endpoints as well, `owner` the members too. */
export const Role = Schema.Literals(["owner", "developer", "viewer"])
export type Role = typeof Role.Type

const ranks = { viewer: 0, developer: 1, owner: 2 } as const satisfies Record<Role, number>

/** Whether a role may do what needs another one. */
export const may = (role: Role, needed: Role): boolean => ranks[role] >= ranks[needed]

/** Something on both sides of one `@`: whether it is somebody's, only a message to it would tell. */
const ADDRESS = /^[^\s@]+@[^\s@]+$/u

/** An e-mail address in lower case. */
export const Email = Schema.String.annotate({ format: "email" }).check(
  Schema.isMaxCodePoints(Limits.EMAIL_MAX_CHARACTERS, {
    expected: `at most ${Limits.EMAIL_MAX_CHARACTERS} characters`,
  }),
  Schema.isPattern(ADDRESS, { expected: "an e-mail address" }),
  Schema.makeFilter<string>((value) =>
    value === value.toLowerCase() && value.isWellFormed() && !value.includes("\u0000")
      ? undefined
      : "must be in lower case",
  ),
)

/** The same as people write it. */
export const EmailInput = Schema.String.annotate({ format: "email" }).pipe(
  Schema.decodeTo(
    Email,
    SchemaTransformation.transform({ decode: (text) => text.trim().toLowerCase(), encode: (text) => text }),
  ),
)

/** A password as it is chosen. */
export const Password = Schema.String.check(
  Schema.isMinCodePoints(Limits.PASSWORD_MIN_CHARACTERS, {
    expected: `at least ${Limits.PASSWORD_MIN_CHARACTERS} characters`,
  }),
  Schema.isMaxCodePoints(Limits.PASSWORD_MAX_CHARACTERS, {
    expected: `at most ${Limits.PASSWORD_MAX_CHARACTERS} characters`,
  }),
  Schema.makeFilter<string>((text) =>
    new Set(text).size >= Limits.PASSWORD_MIN_DISTINCT
      ? undefined
      : `must have at least ${Limits.PASSWORD_MIN_DISTINCT} different characters`,
  ),
)

/** A password as somebody gives it to be verified: no longer than one can be, for a text without end takes time without end. */
export const PasswordGiven = Schema.String.check(
  Schema.isMaxLength(Limits.PASSWORD_MAX_CHARACTERS * 2, {
    expected: `at most ${Limits.PASSWORD_MAX_CHARACTERS} characters`,
  }),
)

/** Milliseconds for which a link works with which a member chooses another password. */
export const RESET_LASTS_MS = 24 * 3_600_000

/** A member as others see them. */
export const Member = Schema.Struct({
  id: Id.MemberId.id,
  account_id: Id.AccountId.id,
  /** Unique in the account. */
  email: Email,
  name: Value.Name,
  role: Role,
  last_seen_at: Schema.NullOr(Value.Timestamp),
  created_at: Value.Timestamp,
  updated_at: Value.Timestamp,
}).annotate({ identifier: "Member" })
export type Member = typeof Member.Type

/** A member as kept: with the hash of the password. */
export const Row = Schema.Struct({ ...Member.fields, password_hash: Schema.String })
export type Row = typeof Row.Type

/** The member with another role. */
export const withRole =
  (role: Role) =>
  (row: Row, now: string): Row =>
    row.role === role ? row : { ...row, role, updated_at: now }

/** Refuses what would leave an account without an owner. */
export const keepsOwner = (members: ReadonlyArray<Member>): Result.Result<void, Errors.Conflict> =>
  members.some(({ role }) => role === "owner")
    ? Result.void
    : Result.fail(
        new Errors.Conflict({
          code: "last_owner",
          message: "An account keeps one owner at least: make somebody else one first.",
        }),
      )
