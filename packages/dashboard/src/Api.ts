/** Calls of the dashboard's API: JSON both ways, and whatever goes wrong as one `Failure`. */
import type { Errors } from "@tc/domain"

/** Where the API is. It stands in the contract too, which is not imported: it would bring Effect into the page. */
const PREFIX = "/dashboard/api/v1"

/** A call that went wrong: what the server said, or why it said nothing. */
export class Failure extends Error {
  readonly status: number
  readonly code: string
  readonly errors: ReadonlyArray<Errors.FieldError>
  readonly retry_after: number | null
  readonly request_id: string | null

  constructor(status: number, body: Body, retry_after: number | null) {
    super(body.message ?? said(status))
    this.status = status
    this.code = body.code ?? "unknown"
    this.errors = body.errors ?? []
    this.retry_after = retry_after
    this.request_id = body.request_id ?? null
  }
}

/** Whether what was asked for is not there: it was deleted, say. */
export const isMissing = (error: Error | null): boolean => error instanceof Failure && error.status === 404

/** What an error's body may have; a proxy in between may answer with something else, so nothing is certain. */
interface Body {
  readonly code?: string
  readonly message?: string
  readonly errors?: ReadonlyArray<Errors.FieldError>
  readonly request_id?: string
  readonly retry_after_seconds?: number
}

/** What is said where no server said anything itself; status 0 means that there was no answer. */
const said = (status: number): string => {
  if (status === 0) return "The server cannot be reached. Check your connection, then try again."
  if (status === 502 || status === 503 || status === 504)
    return "The server is not ready: it is starting, or cannot reach its database. Try again in a moment."
  return `The server answered with status ${status}, which this page did not expect. Try again, or look into the server's log.`
}

const bodyOf = async (response: Response): Promise<Body> => {
  try {
    const body: unknown = await response.json()
    return typeof body === "object" && body !== null ? body : {}
  } catch {
    return {}
  }
}

const failureOf = async (response: Response): Promise<Failure> => {
  const body = await bodyOf(response)
  const seconds = body.retry_after_seconds ?? Number.parseInt(response.headers.get("retry-after") ?? "", 10)
  return new Failure(response.status, body, Number.isFinite(seconds) ? seconds : null)
}

type Method = "GET" | "POST" | "PATCH" | "DELETE"
type Query = Readonly<Record<string, string | number | undefined>>

/** Milliseconds in which an answer has to be there whole: what only reads is asked for again, whatever became of the first. */
const PATIENCE_MS = 30_000

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError"

/** The answer as the contract types it: the page trusts the server that it comes from, and decodes nothing. */
const call = async <A>(method: Method, path: string, init: RequestInit): Promise<A> => {
  try {
    const response = await fetch(PREFIX + path, { method, credentials: "same-origin", ...init })
    if (!response.ok) throw await failureOf(response)
    return (response.status === 204 ? undefined : await response.json()) as A
  } catch (error) {
    // A query that nobody waits for any more is no failure.
    throw error instanceof Failure || isAbort(error) ? error : new Failure(0, { code: "unreachable" }, null)
  }
}

const withBody = (body: unknown): RequestInit =>
  body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }

export const get = <A>(path: string, query: Query = {}, signal?: AbortSignal): Promise<A> => {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value))
  const text = given.toString()
  const patience = AbortSignal.timeout(PATIENCE_MS)
  return call<A>("GET", text === "" ? path : `${path}?${text}`, {
    signal: signal === undefined ? patience : AbortSignal.any([signal, patience]),
  })
}
export const post = <A>(path: string, body?: unknown): Promise<A> => call<A>("POST", path, withBody(body))
export const patch = <A>(path: string, body: unknown): Promise<A> => call<A>("PATCH", path, withBody(body))
export const remove = (path: string): Promise<void> => call<void>("DELETE", path, {})
