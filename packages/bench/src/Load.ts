/** The load generator: autocannon in a process of its own, so many connections for so long on one request. */
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

/** The request to repeat. */
export interface Request {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What came of it. */
export interface Measured {
  /** Answers per second. */
  readonly rate: number
  /** Latency in milliseconds. */
  readonly p50: number
  readonly p99: number
}

interface Report {
  readonly duration: number
  readonly latency: { readonly p50: number; readonly p99: number }
  readonly "2xx": number
  readonly non2xx: number
  readonly errors: number
}

const connections = 64
const autocannon = fileURLToPath(import.meta.resolve("autocannon"))

/** Repeats the request on 64 connections for so many seconds; rejects when an answer was not 2xx. */
export const run = async (request: Request, seconds: number): Promise<Measured> => {
  const headers = Object.entries(request.headers).flatMap(([name, value]) => ["-H", `${name}=${value}`])
  const body = request.body === undefined ? [] : ["-b", request.body]
  const how = ["-j", "-n", "-c", String(connections), "-d", String(seconds), "-m", request.method]
  const { stdout } = await promisify(execFile)(process.execPath, [autocannon, ...how, ...headers, ...body, request.url])
  const report: Report = JSON.parse(stdout)
  const { duration, latency, non2xx, errors } = report
  if (non2xx > 0 || errors > 0) throw new Error(`${request.method} ${request.url}: ${non2xx} not 2xx, ${errors} errors`)
  return { rate: report["2xx"] / duration, p50: latency.p50, p99: latency.p99 }
}
