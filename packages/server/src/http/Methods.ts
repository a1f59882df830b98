/** Which methods a path takes, for requests with another one: the router itself only says that it found nothing. */
import { Api, Dashboard } from "@tc/api"
import { FindMyWay } from "effect/http"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"

/** What the service answers beside the operations of its contract, all with GET. */
export const system = {
  live: "/health/live",
  ready: "/health/ready",
  metrics: "/metrics",
  openapi: "/openapi.json",
  docs: "/docs",
} as const

const METHODS = ["GET", "POST", "PATCH", "DELETE"] as const

// An id too long to be one still belongs to a path that is known.
const paths = FindMyWay.make<true>({ maxParamLength: 8_192 })
const known = {
  onGroup: () => {},
  onEndpoint: ({ endpoint }: { readonly endpoint: HttpApiEndpoint.Top }) =>
    paths.on(endpoint.method, `/${endpoint.path.slice(1)}`, true),
}
HttpApi.reflect(Api, known)
HttpApi.reflect(Dashboard.Dashboard, known)
for (const path of Object.values(system)) paths.on("GET", path, true)

/** All that is below it is a page, but what its API could have. */
const PAGE = new RegExp(`^${Dashboard.PAGES}(?!/api(?:[/?]|$))(?:[/?]|$)`)

/** The methods that the path of a URL takes; none when it is unknown. */
export const allowed = (url: string): ReadonlyArray<string> => {
  const found = PAGE.test(url) ? ["GET"] : METHODS.filter((method) => paths.find(method, url) !== undefined)
  return found.length > 0 && found[0] === "GET" ? ["GET", "HEAD", ...found.slice(1)] : found
}
