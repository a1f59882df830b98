/** What every request passes, whatever it is for: its id, the limit of its body, its failures' form, its line in the log. */
import { Dashboard, Errors as Wire } from "@tc/api"
import { Limits } from "@tc/domain"
import { ByteSize, Clock, Context, Effect } from "effect"
import {
  Headers,
  HttpIncomingMessage,
  HttpMethod,
  HttpRouter,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse,
} from "effect/http"
import * as Failures from "./Failures.ts"
import { HttpSettings, type Settings } from "./HttpSettings.ts"
import { begin, Incoming } from "./Incoming.ts"
import * as Methods from "./Methods.ts"
import * as Metrics from "./Metrics.ts"
import * as Responses from "./Responses.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const bodyLimit = ByteSize.bytes(Limits.BODY_MAX_BYTES)
const dashboardLimit = ByteSize.bytes(Limits.DASHBOARD_BODY_MAX_BYTES)

const DASHBOARD = `${Dashboard.PREFIX}/`
/** How a path can begin that the router takes for one of the dashboard. */
const MAY_BE_OF_DASHBOARD = /^\/+[d%]/i

/** Whether a request is for the dashboard's API, in any of the ways to write its path that the router takes for the same. */
const isOfDashboard = ({ url }: Request): boolean => {
  if (!MAY_BE_OF_DASHBOARD.test(url)) return false
  const path = url.split("?", 1)[0]!
  const plain = path.replaceAll(/%[2-7][0-9a-f]/gi, (code) => decodeURI(code))
  return plain.replaceAll(/\/+/g, "/").toLowerCase().startsWith(DASHBOARD)
}

/** What people see there is theirs alone: nothing on its way keeps it, nor takes it for something else. */
const private_headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" }

/** The outermost middleware of the router. */
export const layer = HttpRouter.middleware(
  Effect.map(
    HttpSettings,
    (settings) => (app) => Effect.contextWith((context: Context.Context<Request>) => pass(app, context, settings)),
  ),
  { global: true },
)

const pass = <E>(
  app: Effect.Effect<Response, E>,
  context: Context.Context<Request>,
  { base_path, log_requests }: Settings,
) => {
  const arrived = performance.now()
  const request = Context.get(context, HttpServerRequest.HttpServerRequest)
  const incoming = begin(request, Context.get(context, Clock.Clock).currentTimeMillisUnsafe())
  const refused = atSight(request)
  return (refused === undefined ? app : Effect.succeed(answer(refused, request, incoming.id))).pipe(
    Effect.updateContext(enter(request, incoming)),
    Effect.catchCause((cause) =>
      Effect.flatMap(Effect.annotateLogs(Failures.ofCause(cause), "request_id", incoming.id), (failure) =>
        failure === undefined ? Effect.failCause(cause) : Effect.succeed(answer(failure, request, incoming.id)),
      ),
    ),
    Effect.flatMap((answered) => {
      const left = leave(answered, incoming.id, base_path)
      const response = isOfDashboard(request) ? HttpServerResponse.setHeaders(left, private_headers) : left
      const seconds = (performance.now() - arrived) / 1000
      Metrics.observe({ method: request.method, route: incoming.route, status: response.status, seconds }, context)
      return log_requests ? Effect.as(log(request, incoming, response, seconds), response) : Effect.succeed(response)
    }),
  )
}

/** What the way in adds to a request's context: what only a body needs, only where there may be one. */
const enter =
  (request: Request, incoming: Incoming) =>
  (context: Context.Context<never>): Context.Context<never> => {
    const known = Context.add(context, Incoming, incoming)
    if (!HttpMethod.hasBody(request.method)) return known
    const limit = isOfDashboard(request) ? dashboardLimit : bodyLimit
    const limited = Context.add(known, HttpIncomingMessage.MaxBodySize, limit)
    const its = hasBody(request) ? strict(request) : withoutType(request)
    return Context.add(limited, HttpServerRequest.HttpServerRequest, its)
  }

const decoder = new TextDecoder("utf-8", { fatal: true })

/** The request, with a text that is UTF-8: what is not could only be kept as something else. */
const strict = (request: Request): Request => {
  const decode = (bytes: ArrayBuffer) =>
    Effect.try({
      try: () => decoder.decode(bytes),
      catch: (cause) =>
        new HttpServerError.HttpServerError({ reason: new HttpServerError.RequestParseError({ request, cause }) }),
    })
  return Object.create(request, { text: { value: Effect.flatMap(request.arrayBuffer, decode) } })
}

/** Whether a body comes. A request made in this process, in the form of the Fetch API, tells no length. */
const hasBody = ({ headers, source }: Request): boolean => {
  const length = headers["content-length"]
  if (length !== undefined) return length !== "0"
  return headers["transfer-encoding"] !== undefined || ("body" in source && source.body !== null)
}

/** What is wrong with a body before any of it is read. */
const atSight = (request: Request): Wire.Failure | undefined => {
  if (!HttpMethod.hasBody(request.method) || !hasBody(request)) return undefined
  const { "content-encoding": coding = "identity", "content-length": length = "0" } = request.headers
  const isSmall = isOfDashboard(request)
  if (Number(length) > (isSmall ? Limits.DASHBOARD_BODY_MAX_BYTES : Limits.BODY_MAX_BYTES))
    return isSmall ? Failures.tooLargeForDashboard : Failures.tooLarge
  return coding.toLowerCase() === "identity" ? undefined : Failures.coded
}

/** The type of nothing: some clients send one with an empty body, and an empty body is of any type. */
const withoutType = (request: Request): Request =>
  request.headers["content-type"] === undefined
    ? request
    : request.modify({ headers: Headers.remove(request.headers, "content-type") })

/** The response to a failure. One of routing may be about the method alone. */
const answer = (failure: Wire.Failure, request: Request, id: string): Response => {
  const methods = failure._tag === "NotFound" ? Methods.allowed(request.url) : []
  if (methods.length === 0 || methods.includes(request.method)) return Responses.failure(failure, id)
  const allow = methods.join(", ")
  const message = `This path takes ${allow} only.`
  return HttpServerResponse.setHeader(Responses.failure(new Wire.MethodNotAllowed({ message }), id), "allow", allow)
}

const leave = (response: Response, id: string, base_path: string): Response => {
  const answer = Failures.isBare(response) ? Responses.failure(Failures.ofStatus(response.status), id) : response
  const named = HttpServerResponse.setHeader(answer, "x-request-id", id)
  const { location } = named.headers
  return base_path === "" || location === undefined
    ? named
    : HttpServerResponse.setHeader(named, "location", base_path + location)
}

const log = ({ method, url }: Request, { id, account_id }: Incoming, { status }: Response, seconds: number) => {
  const path = url.split("?", 1)[0]
  return Effect.annotateLogs(Effect.logInfo(`${method} ${path} ${status}`), {
    request_id: id,
    account_id,
    method,
    path,
    status,
    duration_ms: Math.round(seconds * 1_000_000) / 1000,
  })
}
