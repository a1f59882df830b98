/** Webhook endpoints: asked for, changed, tested and recovered, and how they stand. */
import type { Dashboard, WebhookEndpointTestResult, WebhookEndpointWithSecret } from "@tc/api"
import type { Delivery, Page, Recovery, WebhookEndpoint } from "@tc/domain"
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { get, patch, post, remove } from "../Api.ts"

export type Endpoint = typeof WebhookEndpoint.resource.record.Type
/** As the list has it. */
export type Listed = typeof Dashboard.WebhookEndpointWithActivity.Type
export type WithSecret = typeof WebhookEndpointWithSecret.Type
export type TestResult = WebhookEndpointTestResult

const PATH = "/webhook_endpoints"
const PER_PAGE = 25
/** As many as one page of the API can have. */
const MOST = 100
/** Milliseconds after which what changes by itself is asked for again. */
const FRESH_MS = 5_000
/** The same while somebody waits for it. */
const MOVING_MS = 1_000

/** A page of the endpoints; with `q`, of those that have it in their URL. */
export const findEndpoints = ({ page = 1, per_page = PER_PAGE, q = "" } = {}, signal?: AbortSignal) =>
  get<Page.Page<Listed>>(PATH, { page, per_page, ...(q === "" ? {} : { q }) }, signal)

export const endpoints = ({ page = 1, per_page = PER_PAGE } = {}) =>
  queryOptions({
    queryKey: ["webhook_endpoints", page, per_page],
    queryFn: ({ signal }) => findEndpoints({ page, per_page }, signal),
    placeholderData: keepPreviousData,
    // One may be disabled by its failures while somebody looks at them.
    refetchInterval: FRESH_MS,
  })

/** To call by their URLs. */
export const known = endpoints({ per_page: MOST })

export const endpoint = (id: string) =>
  queryOptions({
    queryKey: ["webhook_endpoint", id],
    queryFn: ({ signal }) => get<Endpoint>(`${PATH}/${id}`, {}, signal),
    // As in the list.
    refetchInterval: FRESH_MS,
  })

const isUnderWay = ({ status }: Recovery.Recovery) => status === "pending" || status === "running"

export const recoveries = (id: string) =>
  queryOptions({
    queryKey: ["recoveries", id],
    queryFn: async ({ signal }) =>
      (await get<Page.Page<Recovery.Recovery>>(`${PATH}/${id}/recoveries`, { per_page: 1 }, signal)).data,
    refetchInterval: ({ state: { data } }) => (data?.some(isUnderWay) === true ? MOVING_MS : FRESH_MS),
  })

/** What a change of an endpoint makes stale. */
export const stale = [["webhook_endpoints"], ["webhook_endpoint"], ["audit"]] as const

/** What people set of an endpoint. */
export type Settings = Pick<
  Endpoint,
  "url" | "events" | "description" | "max_per_second" | "ordered" | "disable_on_gone"
>

export const create = (settings: Settings) => post<WithSecret>(PATH, settings)
export const modify = ({ id, ...changes }: Partial<Settings> & { id: string; status?: "active" | "disabled" }) =>
  patch<Endpoint>(`${PATH}/${id}`, changes)
export const removeEndpoint = ({ id }: Endpoint) => remove(`${PATH}/${id}`)
export const reveal = ({ id }: Endpoint) => post<WithSecret>(`${PATH}/${id}/reveal_secret`)
export const rotate = ({ id, overlap_seconds }: { id: string; overlap_seconds: number }) =>
  post<WithSecret>(`${PATH}/${id}/rotate_secret`, { overlap_seconds })
export const test = ({ id, ...input }: typeof Dashboard.EndpointTest.Type & { id: string }) =>
  post<TestResult>(`${PATH}/${id}/test`, input)
export const recover = ({ id, since }: { id: string; since: string }) =>
  post<Recovery.Recovery>(`${PATH}/${id}/recover`, { since })

const DAY_MS = 86_400_000

/**
 * From when on an endpoint may have missed something: from the last delivery that succeeded on, and a day before that, for so long
 * another may have been on its way since.
 */
export const missedSince = async ({ id, created_at }: Endpoint): Promise<string> => {
  const query = { endpoint_id: id, status: "succeeded", per_page: 1 }
  const [last] = (await get<Page.Page<Delivery.Delivery>>("/deliveries", query)).data
  const since = last === undefined ? created_at : new Date(Date.parse(last.created_at) - DAY_MS).toISOString()
  return since > created_at ? since : created_at
}

/** How an endpoint stands: what that is called and in which colour, and whether it is told of events. */
export const statuses = {
  active: { label: "Active", color: "teal", on: true },
  disabled: { label: "Disabled", color: "gray", on: false },
  "auto-disabled": { label: "Auto-disabled", color: "red", on: false },
} as const satisfies Record<WebhookEndpoint.Status, { label: string; color: string; on: boolean }>

/** How many deliveries have failed since the last that succeeded, in words. */
export const failures = (count: number): string => (count === 1 ? "1 failure" : `${count} failures in a row`)

/** The host of a URL, which is enough to tell most endpoints apart. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

/** Names that lead to the machine itself. */
const LOCAL = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/u

/** Whether a server sends there only if it is set up for trying things out: without TLS, or to its own machine. */
export const isForTrying = (url: string): boolean =>
  URL.canParse(url) && (new URL(url).protocol === "http:" || LOCAL.test(new URL(url).hostname))

/**
 * What is wrong with the URL of an endpoint, or null. Browsers repair much; the server takes only what needs no repair, and
 * knows where it may send.
 */
export const wrongUrl = (url: string): string | null => {
  if (url === "") return "Enter the URL that events are sent to."
  if (!/^https?:\/\//iu.test(url)) return "Start with https://, as in https://example.com/webhooks."
  return /^https?:\/\/[^\s/\\]\S*$/iu.test(url) && URL.canParse(url) ? null : "This is no complete URL."
}
