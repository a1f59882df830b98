/** What is counted of every request, for Prometheus. */
import { Metric, type Context } from "effect"

const requests = Metric.counter("http_requests_total", { description: "Requests answered.", incremental: true })

const durations = Metric.histogram("http_request_duration_seconds", {
  description: "Time from the arrival of a request to its answer.",
  boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
})

/** Methods of their own label; any other word a caller may think of shares one, so that the labels stay few. */
const known = new Set(["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"])

/** The series of each combination of labels, made when it first occurs. */
const series = new Map<string, { readonly count: typeof requests; readonly duration: typeof durations }>()

const seriesOf = (method: string, route: string, status: string) => {
  const key = `${method} ${route} ${status}`
  const found = series.get(key)
  if (found !== undefined) return found
  const made = {
    count: Metric.withAttributes(requests, { method, route, status }),
    duration: Metric.withAttributes(durations, { method, route }),
  }
  series.set(key, made)
  return made
}

/** Counts one request. `seconds` is how long it took. */
export const observe = (
  request: { readonly method: string; readonly route: string; readonly status: number; readonly seconds: number },
  context: Context.Context<never>,
): void => {
  const method = known.has(request.method) ? request.method : "other"
  const { count, duration } = seriesOf(method, request.route, String(request.status))
  count.updateUnsafe(1, context)
  duration.updateUnsafe(request.seconds, context)
}
