/** Why a POST got no answer, out of the many errors of sockets, name look-ups, TLS and HTTP. */
import type { Delivery } from "@tc/domain"

/** No address of the target may be sent to. */
export class Blocked extends Error {
  readonly code = "TC_BLOCKED"
}

/** The target's name has no address, or none could be found out. */
export class Unresolved extends Error {
  readonly code = "TC_UNRESOLVED"
}

/** The deadline has passed. */
export class TimedOut extends Error {
  readonly code = "TC_TIMED_OUT"
}

/** The answer is none that HTTP knows, or has far more around it than one needs. */
export class Malformed extends Error {
  readonly code = "TC_MALFORMED"
}

/** Nobody waits for the answer any more. */
export class Interrupted extends Error {
  readonly code = "TC_INTERRUPTED"
}

const codes: Readonly<Record<string, Delivery.AttemptError>> = {
  TC_BLOCKED: "blocked_address",
  TC_UNRESOLVED: "dns_error",
  TC_TIMED_OUT: "timeout",
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  ECONNREFUSED: "connection_refused",
  EHOSTUNREACH: "connection_refused",
  ENETUNREACH: "connection_refused",
  EHOSTDOWN: "connection_refused",
  ENETDOWN: "connection_refused",
  EACCES: "connection_refused",
  EPERM: "connection_refused",
  ECONNRESET: "connection_reset",
  ECONNABORTED: "connection_reset",
  EPIPE: "connection_reset",
  UND_ERR_SOCKET: "connection_reset",
  EPROTO: "tls_error",
  TC_MALFORMED: "invalid_response",
  UND_ERR_HEADERS_OVERFLOW: "invalid_response",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "invalid_response",
}

/** Codes by how they begin: those of certificate checks and of TLS. */
const prefixes: ReadonlyArray<readonly [prefix: string, error: Delivery.AttemptError]> = [
  ["ERR_TLS_", "tls_error"],
  ["ERR_SSL_", "tls_error"],
  ["CERT_", "tls_error"],
  ["CRL_", "tls_error"],
  ["DEPTH_ZERO_", "tls_error"],
  ["SELF_SIGNED_", "tls_error"],
  ["UNABLE_TO_", "tls_error"],
  ["INVALID_CA", "tls_error"],
  ["INVALID_PURPOSE", "tls_error"],
  ["PATH_LENGTH_EXCEEDED", "tls_error"],
  ["HOSTNAME_MISMATCH", "tls_error"],
  ["ERROR_IN_CERT_", "tls_error"],
]

/** What goes wrong on this machine, whoever the target is: no sockets, ports or memory left, a
 * request that is none, or the sender has ended. */
const own = new Set([
  "TC_INTERRUPTED",
  "EMFILE",
  "ENFILE",
  "ENOBUFS",
  "ENOMEM",
  "EADDRNOTAVAIL",
  "UND_ERR_INVALID_ARG",
  "UND_ERR_DESTROYED",
  "UND_ERR_CLOSED",
])

/** undici gives answers that break the protocol no code of their own. */
const isBrokenProtocol = ({ name, message }: Error): boolean =>
  name === "HTTPParserError" || message === "bad response" || message === "bad upgrade"

/** The error to record, or `null` when the fault is this machine's own. What is not known was the connection's. */
export const attemptError = (error: unknown): Delivery.AttemptError | null => {
  if (!(error instanceof Error)) return "connection_reset"
  if (isBrokenProtocol(error)) return "invalid_response"
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  if (own.has(code)) return null
  return codes[code] ?? prefixes.find(([prefix]) => code.startsWith(prefix))?.[1] ?? "connection_reset"
}
