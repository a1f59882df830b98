/** One POST over an undici connection: it collects the answer's status and the start of its body, then lets go. */
import type { Dispatcher } from "undici"
import { Malformed } from "./Failure.ts"

/** Bytes of the body that are kept; the rest is not read. */
const EXCERPT_MAX_BYTES = 16 * 1024

/** The answer, as far as it came. */
export interface Received {
  readonly status_code: number
  readonly response_excerpt: string
  readonly retry_after: string | null
}

/** An answer, or the error for which there is none. */
export type Result = { readonly received: Received } | { readonly error: unknown }

/** Called once, at the end; `whole` when the answer was read to its end, without which its connection is of no use. */
export type End = (exchange: Exchange, result: Result, whole: boolean) => void

/** What a request goes out on. */
export interface Carrier {
  /** Counts one request more; answers whether others went before it. */
  readonly begin: () => boolean
}

/** Text that any storage can keep: well-formed, without U+0000, and not cut in the middle of a character. */
const textOf = (chunks: ReadonlyArray<Buffer>, isCut: boolean): string => {
  if (chunks.length === 0) return ""
  // By far the commonest, and a decoder for each costs more than the rest of this.
  if (chunks.length === 1 && !isCut && chunks[0]!.length <= EXCERPT_MAX_BYTES) {
    return chunks[0]!.toString("utf8").replaceAll("\0", "\uFFFD")
  }
  const bytes = Buffer.concat(chunks).subarray(0, EXCERPT_MAX_BYTES)
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: isCut }).replaceAll("\0", "\uFFFD")
}

/** The handler of one request. It calls `end` exactly once. */
export class Exchange implements Dispatcher.DispatchHandler {
  carrier: Carrier | undefined
  /** Whether it went out on a connection that had been used before, and nothing has come back. */
  stale = false
  readonly #end: End
  readonly #chunks: Array<Buffer> = []
  #length = 0
  #status_code: number | null = null
  #retry_after: string | null = null
  #over = false

  constructor(end: End) {
    this.#end = end
  }

  /** Ends the exchange now: with the answer, when its status is known, else with `error`. */
  cut(error: unknown): void {
    this.#finish(error, false)
  }

  onRequestStart(): void {
    this.stale = this.carrier?.begin() ?? false
  }

  onResponseStarted(): void {
    this.stale = false
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status_code: number,
    headers: Record<string, string | Array<string> | undefined>,
  ): void {
    // undici would trip over these two.
    if (status_code < 100 || status_code === 101)
      return this.#finish(new Malformed(`a status of ${status_code}`), false)
    if (status_code < 200) return
    this.#status_code = status_code
    this.#retry_after = [headers["retry-after"]].flat()[0] ?? null
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    if (this.#length >= EXCERPT_MAX_BYTES) this.#finish(undefined, false)
  }

  onResponseEnd(): void {
    this.#finish(undefined, true)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish(error, false)
  }

  #finish(error: unknown, whole: boolean): void {
    if (this.#over) return
    this.#over = true
    if (this.#status_code === null) return this.#end(this, { error }, false)
    const response_excerpt = textOf(this.#chunks, !whole)
    const received = { status_code: this.#status_code, response_excerpt, retry_after: this.#retry_after }
    this.#end(this, { received }, whole)
  }
}
