/** Who uses the dashboard, and what they may do: a session in a cookie, and the role that an operation needs. */
import type { Id, Member } from "@tc/domain"
import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { NotAllowed, NotSignedIn } from "../Errors.ts"

/** Where the dashboard lives below its base address, and its API. */
export const PAGES = "/dashboard"
export const PREFIX = `${PAGES}/api/v1`

/** The session of the request at hand. */
export class CurrentSession extends Context.Service<
  CurrentSession,
  {
    readonly session_id: Id.SessionId
    readonly account_id: Id.AccountId
    readonly member: Member.Member
    /** When it ends if it is not used any more. */
    readonly expires_at: string
  }
>()("@tc/api/dashboard/CurrentSession") {}

/** The role that an operation needs; where it says none, `viewer` to read and `developer` for all else. */
export const Needs: Context.Reference<Member.Role | null> = Context.Reference("@tc/api/dashboard/Needs", {
  defaultValue: (): Member.Role | null => null,
})

/** Refuses what changes something and does not come from a page of this origin. */
export class SameOrigin extends HttpApiMiddleware.Service<SameOrigin>()("@tc/api/dashboard/SameOrigin", {
  error: NotAllowed,
}) {}

/** Finds the session of a request. */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentSession }>()(
  "@tc/api/dashboard/Authentication",
  { error: NotSignedIn },
) {}

/** Refuses a member whose role is not enough. */
export class Roles extends HttpApiMiddleware.Service<Roles, { requires: CurrentSession }>()("@tc/api/dashboard/Roles", {
  error: NotAllowed,
}) {}
