/** The dashboard's page: its files, and the one document that all its addresses show. */
import { Dashboard } from "@tc/api"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Edge from "../http/Edge.ts"
import { Incoming } from "../http/Incoming.ts"

/** A file as it is served. */
export interface File {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The same compressed; null where that gains nothing. */
  readonly gzip: Uint8Array<ArrayBuffer> | null
}

/** What a build of the page consists of. */
export interface Build {
  /** The document. `__CSP_NONCE__` in it stands for what is new in each answer. */
  readonly document: string
  /** By path below `/dashboard`, such as `/assets/index-4f2a.js`: what one has never changes. */
  readonly files: ReadonlyMap<string, File>
}

const NONCE_BYTES = 16
const YEAR_SECONDS = 31_536_000

/** The page's own files and nothing else, whatever somebody manages to write into it. */
const policy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ")

const showing = (document: string) => {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(NONCE_BYTES))))
  return HttpServerResponse.setHeaders(
    HttpServerResponse.text(document.replaceAll("__CSP_NONCE__", nonce), { contentType: "text/html; charset=utf-8" }),
    {
      "content-security-policy": policy(nonce),
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  )
}

const sending = ({ type, bytes, gzip }: File, accepted = "") => {
  const isZipped = gzip !== null && accepted.split(",").some((part) => TAKES_GZIP.test(part.trim()))
  return HttpServerResponse.uint8Array(isZipped ? gzip : bytes, {
    contentType: type,
    headers: {
      "cache-control": `public, max-age=${YEAR_SECONDS}, immutable`,
      "x-content-type-options": "nosniff",
      vary: "accept-encoding",
      ...(isZipped ? { "content-encoding": "gzip" } : {}),
    },
  })
}

/** One of the codings that a browser takes; with `q=0` it does not. */
const TAKES_GZIP = /^gzip(\s*;\s*q=(?!0(\.0*)?$).*)?$/i

const missing = (request: HttpServerRequest.HttpServerRequest) =>
  // As the router says it, so that an operation which takes another method is told of.
  new HttpServerError.HttpServerError({ reason: new HttpServerError.RouteNotFound({ request }) })

/** Whoever types the server's name into a browser is led to the page; there is nothing else at the root. */
const root = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (request.headers["accept"]?.includes("text/html") !== true) return yield* missing(request)
  ;(yield* Incoming).route = "/"
  return HttpServerResponse.redirect(Dashboard.PAGES, { headers: { vary: "accept" } })
})

/** Routes for the page and its files. What is below `/dashboard/api`, or looks like a file and is none, is not there. */
export const layer = ({ document, files }: Build) => {
  const answer = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { headers, url } = request
    const incoming = yield* Incoming
    const path = url.split("?", 1)[0]!.slice(Dashboard.PAGES.length)
    const file = files.get(path)
    if (file === undefined && /^\/(api|assets)(\/|$)/.test(path)) return yield* missing(request)
    incoming.route = Dashboard.PAGES
    return file === undefined ? showing(document) : sending(file, headers["accept-encoding"])
  })
  // It matches `/dashboard` itself, too.
  const pages = HttpRouter.add("GET", `${Dashboard.PAGES}/*`, answer)
  return Layer.mergeAll(pages, HttpRouter.add("GET", "/", root)).pipe(Layer.provide(Edge.layer))
}
