/** Receivers that misbehave, each in one way of its own, with what an attempt at it comes to. */
import type { Socket } from "node:net"
import { gzipSync } from "node:zlib"
import type { Delivery } from "@tc/domain"

/** What a receiver does with a connection on which a request has arrived. */
export type Behaviour = (socket: Socket) => void

/** A status or an error; with what the receiver does, as the end of a sentence. */
export type Case = readonly [comes_to: number | Delivery.AttemptError, does: string, behaviour: Behaviour]

/** Milliseconds between two bytes of a receiver that is slow: so many that no answer grows too long before a deadline. */
const DRIP_MS = 50
const OK = "HTTP/1.1 200 OK\r\n"
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`

const says =
  (...bytes: ReadonlyArray<string | Uint8Array>): Behaviour =>
  (socket) => {
    for (const some of bytes) socket.write(some)
  }

/** Says something, then does something else, once that has had time to arrive. */
const then =
  (start: string, behaviour: Behaviour): Behaviour =>
  (socket) =>
    void socket.write(start, () => void setTimeout(() => behaviour(socket), 20))

/** Says something, and then the same again and again, slowly. */
const drips =
  (start: string, piece: string): Behaviour =>
  (socket) => {
    socket.write(start)
    const timer = setInterval(() => socket.write(piece), DRIP_MS)
    socket.on("close", () => clearInterval(timer))
  }

/** Says something, and then the same again and again, as fast as it can. */
const floods =
  (start: string | Uint8Array, piece: string): Behaviour =>
  (socket) => {
    const block = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)))
    const more = () => {
      while (!socket.destroyed && socket.write(block));
    }
    socket.on("drain", more).write(start)
    more()
  }

const resets: Behaviour = (socket) => void socket.resetAndDestroy()
const closes: Behaviour = (socket) => void socket.end()

/** A GiB of zeros in one MiB: the same 16 MiB again and again. */
const sends_bomb = (): Behaviour => {
  const part = gzipSync(Buffer.alloc(16 * 1024 * 1024))
  const head = `${OK}Content-Encoding: gzip\r\nContent-Length: ${part.length * 64}\r\n\r\n`
  return says(head, ...Array.from({ length: 64 }, () => part))
}

/** Those that keep an attempt until its deadline. */
export const slow: ReadonlyArray<Case> = [
  ["timeout", "never answers", () => {}],
  ["timeout", "sends its status a byte at a time", drips("HTTP/1.1 200 ", "x")],
  ["timeout", "sends its headers a byte at a time", drips(`${OK}X-Drip: `, "x")],
  ["timeout", "sends headers one after the other", drips(OK, "X-Drip: 1\r\n")],
  ["timeout", "says again and again that it is at it", drips("", "HTTP/1.1 102 Processing\r\n\r\n")],
  ["timeout", "gives hints without end", drips("", "HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n")],
  ["timeout", "begins with empty lines", drips("", "\r\n")],
  [200, "sends its body a byte at a time", drips(`${OK}Content-Length: 1000000\r\n\r\n`, "x")],
  [200, "sends its body in chunks of a byte", drips(CHUNKED, "1\r\nx\r\n")],
  [200, "sends less than the length that it named", says(`${OK}Content-Length: 100\r\n\r\nhalf`)],
  [200, "ends its body by closing, and does not close", says(`${OK}\r\nbody`)],
  [503, "fails and never ends its body", drips("HTTP/1.1 503 Down\r\nContent-Length: 1000000\r\n\r\n", "x")],
]

/** Those that send more than anyone could need, as fast as they can. */
export const large: ReadonlyArray<Case> = [
  [200, "answers with 1 GiB", floods(`${OK}Content-Length: ${2 ** 30}\r\n\r\n`, "x")],
  [200, "sends 16 KiB of 1 GiB and stops", says(`${OK}Content-Length: ${2 ** 30}\r\n\r\n${"x".repeat(16 * 1024)}`)],
  [200, "answers with a chunk of 1 GiB", floods(`${CHUNKED}40000000\r\n`, "x")],
  [200, "answers without end in chunks", floods(CHUNKED, `400\r\n${"x".repeat(1024)}\r\n`)],
  [200, "answers without end and without a length", floods(`${OK}\r\n`, "x")],
  [200, "answers with a GiB that gzip made a MiB, unasked", sends_bomb()],
  [200, "names its chunks at length", floods(`${CHUNKED}1;`, "x")],
  [200, "sends trailers without end", floods(`${CHUNKED}0\r\n`, "x:\r\n")],
  ["invalid_response", "has a header without end", floods(`${OK}X-Long: `, "x")],
  ["invalid_response", "has headers without end", floods(OK, "x:\r\n")],
  ["invalid_response", "has a header's name without end", floods(OK, "x")],
  ["invalid_response", "has a status text without end", floods("HTTP/1.1 200 ", "x")],
  ["invalid_response", "begins with empty lines without end", floods("", "\r\n")],
  ["invalid_response", "continues without end", floods("", "HTTP/1.1 100 Continue\r\n\r\n")],
  ["invalid_response", "is at it without end", floods("", "HTTP/1.1 102 Processing\r\n\r\n")],
  ["invalid_response", "gives hints without end", floods("", "HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n")],
]

/** Those that break the protocol before an answer has begun; a status line of theirs counts for nothing. */
export const malformed: ReadonlyArray<Case> = (
  [
    ["speaks another protocol", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["speaks HTTP/2", Buffer.from("000012040000000000000300000080000400010000000500ffffff", "hex")],
    ["has a version that is none", "HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n"],
    ["has a status of two digits", "HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n"],
    ["has a status of four digits", "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n"],
    ["has a status below 100", "HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\n"],
    ["has a status that is no number", "HTTP/1.1 2xx OK\r\nContent-Length: 0\r\n\r\n"],
    ["switches protocols unasked", "HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n"],
    ["switches protocols and does not say to which", "HTTP/1.1 101 Switching\r\n\r\n"],
    ["names two lengths", `${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok`],
    ["names two lengths in one header", `${OK}Content-Length: 2, 3\r\n\r\nok`],
    ["names a length below 0", `${OK}Content-Length: -2\r\n\r\nok`],
    ["names a length that no number can hold", `${OK}Content-Length: ${"9".repeat(30)}\r\n\r\nok`],
    [
      "names a length and sends chunks",
      `${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    ],
    ["has a header without a colon", `${OK}X-A\r\nContent-Length: 0\r\n\r\n`],
    ["has a space before a colon", `${OK}X-A : 1\r\nContent-Length: 0\r\n\r\n`],
    ["folds a header", `${OK}X-A: 1\r\n 2\r\nContent-Length: 0\r\n\r\n`],
    ["has U+0000 in a header", `${OK}X-A: \0\r\nContent-Length: 0\r\n\r\n`],
    ["ends its lines otherwise", "HTTP/1.1 200 OK\nContent-Length: 0\n\n"],
    ["has more than 16 KiB of headers", `${OK}${"x:y\r\n".repeat(9_000)}Content-Length: 0\r\n\r\n`],
  ] as const
).map(([does, bytes]) => ["invalid_response", does, says(bytes)])

/** Those that go away too early, or begin well and end badly: a status that came in time stands, whatever follows. */
export const broken: ReadonlyArray<Case> = [
  ["connection_reset", "closes without an answer", closes],
  ["connection_reset", "resets without an answer", resets],
  ["connection_reset", "closes in the middle of the status", then("HTTP/1.1 2", closes)],
  ["connection_reset", "resets in the middle of the headers", then(`${OK}X-A`, resets)],
  ["connection_reset", "closes in the middle of the headers", then(`${OK}X-A: 1\r\n`, closes)],
  ["connection_reset", "resets after an informational answer", then("HTTP/1.1 103 Early Hints\r\n\r\n", resets)],
  [200, "resets in the middle of the body", then(`${OK}Content-Length: 100\r\n\r\nhalf`, resets)],
  [200, "closes in the middle of the body", then(`${OK}Content-Length: 100\r\n\r\nhalf`, closes)],
  [200, "closes in the middle of a chunk", then(`${CHUNKED}64\r\nhalf`, closes)],
  [200, "has a chunk whose size is none", says(`${CHUNKED}zz\r\nok\r\n0\r\n\r\n`)],
  [200, "has a chunk whose size no number can hold", says(`${CHUNKED}${"f".repeat(30)}\r\nok`)],
  [500, "fails and resets in the middle of the body", then("HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nhalf", resets)],
]

export const all: ReadonlyArray<Case> = [...slow, ...large, ...malformed, ...broken]
