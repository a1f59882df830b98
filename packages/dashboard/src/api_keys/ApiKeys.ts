/** API keys: asked for, created, rotated and revoked, and how they stand. */
import type { Dashboard } from "@tc/api"
import type { ApiKey, Page } from "@tc/domain"
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { get, post } from "../Api.ts"

export type Key = ApiKey.ApiKey
export type WithKey = typeof Dashboard.ApiKeyWithKey.Type

const PER_PAGE = 25

export const apiKeys = ({ page = 1, per_page = PER_PAGE } = {}) =>
  queryOptions({
    queryKey: ["api_keys", page, per_page],
    queryFn: ({ signal }) => get<Page.Page<Key>>("/api_keys", { page, per_page }, signal),
    placeholderData: keepPreviousData,
  })

/** What a change of a key makes stale. */
export const stale = [["api_keys"], ["audit"]] as const

export const create = (input: typeof Dashboard.ApiKeyCreate.Type) => post<WithKey>("/api_keys", input)
export const rotate = ({ id, ...input }: typeof Dashboard.ApiKeyRotate.Type & { id: string }) =>
  post<WithKey>(`/api_keys/${id}/rotate`, input)
export const revoke = ({ id }: Key) => post<Key>(`/api_keys/${id}/revoke`)

/** What each scope lets a program do, in one sentence. */
export const scopes = {
  read: "Look at records, events and deliveries.",
  write: "Create and change records and webhook endpoints.",
  delete: "Delete records and webhook endpoints.",
} as const satisfies Record<ApiKey.Scope, string>

export const scope_names = ["read", "write", "delete"] as const satisfies ReadonlyArray<ApiKey.Scope>

const DAY_MS = 86_400_000
/** Milliseconds before its end in which a key is said to expire soon. */
const SOON_MS = 7 * DAY_MS

/** How a key stands, what it is called and in which colour, and whether programs can still use it. */
export const statuses = {
  active: { label: "Active", color: "teal", usable: true },
  soon: { label: "Expires soon", color: "yellow", usable: true },
  expired: { label: "Expired", color: "gray", usable: false },
  revoked: { label: "Revoked", color: "gray", usable: false },
} as const

export const statusOf = ({ revoked_at, expires_at }: Key, now: number): keyof typeof statuses => {
  if (revoked_at !== null) return "revoked"
  if (expires_at === null) return "active"
  const left = Date.parse(expires_at) - now
  if (left <= 0) return "expired"
  return left <= SOON_MS ? "soon" : "active"
}

/** When a key ends, as people choose it. */
export const expiries = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "never", label: "Never" },
  { value: "date", label: "On a date …" },
] as const

/** The time that a choice means at `now`: a date is the end of that day where the reader is. */
export const expiryOf = (choice: string, date: string, now: number): string | null => {
  if (choice === "never") return null
  if (choice === "date") return new Date(`${date}T23:59:59`).toISOString()
  return new Date(now + Number(choice) * DAY_MS).toISOString()
}

/** What is wrong with a date that was chosen, or null. */
export const wrongDate = (date: string, now: number): string | null => {
  const at = Date.parse(`${date}T23:59:59`)
  if (Number.isNaN(at)) return "Choose a date."
  return at > now ? null : "Choose a date that is still to come."
}
