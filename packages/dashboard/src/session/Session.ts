/** Who is signed in, and what they may do. */
import type { Dashboard } from "@tc/api"
import type { Limits, Member } from "@tc/domain"
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query"
import { get } from "../Api.ts"

export const session = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => get<Dashboard.SignedIn>("/session", {}, signal),
})

/** For pages that are shown to members only, which the layout has made sure of. */
export const useSession = (): Dashboard.SignedIn => useSuspenseQuery(session).data

const ranks = { viewer: 0, developer: 1, owner: 2 } as const satisfies Record<Member.Role, number>

/** Whether the member may do what needs this role. The server decides; the page only does not offer what it would refuse. */
export const useMay = (needed: Member.Role): boolean => ranks[useSession().member.role] >= ranks[needed]

/** What each role may do, in one sentence. */
export const roles = {
  owner: "Everything, members and invitations included.",
  developer: "Works with API keys, webhook endpoints and deliveries; sees the rest.",
  viewer: "Sees everything but secrets, and changes nothing.",
} as const satisfies Record<Member.Role, string>

export const role_names = {
  owner: "Owner",
  developer: "Developer",
  viewer: "Viewer",
} as const satisfies Record<Member.Role, string>

// The types make these the numbers of the domain, without its code.
const PASSWORD_MIN: typeof Limits.PASSWORD_MIN_CHARACTERS = 12
const PASSWORD_DISTINCT: typeof Limits.PASSWORD_MIN_DISTINCT = 5
const PASSWORD_MAX: typeof Limits.PASSWORD_MAX_CHARACTERS = 200

export const PASSWORD_RULE = `At least ${PASSWORD_MIN} characters. A few words that you remember are good.`

/** What is wrong with a new password, or null. Characters are code points, as the server counts them. */
export const wrongPassword = (password: string): string | null => {
  const { length } = Array.from(password)
  if (length === 0) return "Choose a password."
  if (length < PASSWORD_MIN) return `Use at least ${PASSWORD_MIN} characters; this has ${length}.`
  if (new Set(password).size < PASSWORD_DISTINCT) return `Use at least ${PASSWORD_DISTINCT} different characters.`
  return length > PASSWORD_MAX ? `Use at most ${PASSWORD_MAX} characters; this has ${length}.` : null
}

/** What is wrong with an e-mail address, or null. */
export const wrongEmail = (email: string): string | null =>
  /^[^\s@]+@[^\s@]+$/u.test(email.trim()) ? null : "Enter an e-mail address, such as ada@example.com."
