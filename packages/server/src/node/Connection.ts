/** An HTTP/1.1 connection to one origin: opened when it is first needed, and opened again when it has been closed. */
import { isIP, Socket } from "node:net"
import { type buildConnector, Client, type Dispatcher } from "undici"
import type { Exchange } from "./Exchange.ts"
import { Interrupted, Malformed } from "./Failure.ts"

/** Bytes of the answer's headers at most. */
const HEADERS_MAX_BYTES = 16 * 1024
/**
 * What the parser is given of one answer at most, with all that is around it: informational answers, the text of the
 * status, the framing of chunks, trailers. Nothing else bounds these, and to read them for 30 s would keep others waiting.
 * A line may be a header, which takes a hundred times the memory of the four bytes it can have.
 */
const ANSWER_MAX_BYTES = 128 * 1024
const ANSWER_MAX_LINES = 2_000
/** Bytes that it is given at a time: it does not stop in the middle, whatever it has found there. */
const READ_MAX_BYTES = 2 * 1024
/** Sessions that a receiver may give out for later handshakes, each at our cost; two are usual. */
const SESSIONS_MAX = 16
const LINE_FEED = 10
/** undici takes this for a breach when nobody asked; other informational answers it passes over, as one has to. */
const CONTINUE = Buffer.from("HTTP/1.1 100 ")
const PROCESSING = Buffer.from("HTTP/1.1 102 ")
/** Milliseconds for which an idle connection is kept: shorter than most receivers keep it; they can ask for more. */
const IDLE_MS = 4_000
const IDLE_MAX_MS = 60_000

const options: Client.Options = {
  allowH2: false,
  pipelining: 1,
  // One deadline over the whole attempt takes the place of these.
  headersTimeout: 0,
  bodyTimeout: 0,
  maxHeaderSize: HEADERS_MAX_BYTES,
  keepAliveTimeout: IDLE_MS,
  keepAliveMaxTimeout: IDLE_MAX_MS,
}

export class Connection extends Client {
  readonly origin: string
  /** When it was opened, in milliseconds of the monotonic clock. */
  opened_at = 0
  #requests = 0
  /** From the moment on at which it begins to open. */
  #socket: Socket | undefined
  /** What the parser was given since the last request went out. */
  #bytes = 0
  #lines = 0

  constructor(origin: string, connect: buildConnector.connector) {
    super(origin, { ...options, connect: (target, callback) => this.#open(connect, target, callback) })
    this.origin = origin
  }

  override dispatch(request: Dispatcher.DispatchOptions, exchange: Exchange): boolean {
    exchange.carrier = this
    return super.dispatch(request, exchange)
  }

  /** Counts a request as it goes out; answers whether others went before it. */
  begin(): boolean {
    this.#bytes = 0
    this.#lines = 0
    this.#requests += 1
    return this.#requests > 1
  }

  /** Whether nothing of the last request remains to be written: an answer may come before the receiver has read it. */
  get isQuiet(): boolean {
    return this.#socket?.writableLength === 0
  }

  /** Closes it, and gives up opening it: undici alone would let a handshake go on. */
  end(): void {
    this.#socket?.destroy(new Interrupted())
    this.destroy(null, () => {})
  }

  #open(connect: buildConnector.connector, target: buildConnector.Options, callback: buildConnector.Callback): void {
    this.#requests = 0
    this.opened_at = performance.now()
    // The dot that can end a name has no place in a handshake: many receivers refuse it there.
    const servername = isIP(target.hostname) === 0 ? target.hostname.replace(/\.$/, "") : ""
    const socket: unknown = connect({ ...target, servername }, callback)
    if (socket instanceof Socket) this.#watch(socket)
  }

  /** Stands between a socket and the parser, which would read on whatever comes, and after the socket is destroyed, too. */
  #watch(socket: Socket): void {
    this.#socket = socket
    let sessions = 0
    socket.on("session", () => {
      sessions += 1
      if (sessions > SESSIONS_MAX) socket.destroy(new Malformed(`more than ${SESSIONS_MAX} sessions`))
    })
    const read = socket.read.bind(socket)
    socket.read = () => {
      const isTooMuch = this.#bytes > ANSWER_MAX_BYTES || this.#lines > ANSWER_MAX_LINES
      if (isTooMuch) socket.destroy(new Malformed("more than there is to an answer"))
      if (socket.destroyed) return null
      const bytes: Buffer | null = read(Math.min(socket.readableLength, READ_MAX_BYTES) || undefined)
      if (bytes !== null) this.#count(this.#bytes === 0 ? begun(bytes) : bytes)
      return bytes
    }
  }

  #count(bytes: Buffer): void {
    this.#bytes += bytes.length
    for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) this.#lines += 1
  }
}

/** The beginning of an answer, as undici should see it; the same bytes. */
const begun = (bytes: Buffer): Buffer => {
  if (bytes.subarray(0, CONTINUE.length).equals(CONTINUE)) PROCESSING.copy(bytes)
  return bytes
}
