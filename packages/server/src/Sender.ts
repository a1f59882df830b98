/** The port through which an attempt leaves the process: one POST, whatever the platform makes it with. */
import type { Delivery } from "@tc/domain"
import { Context, type Effect } from "effect"

/** One POST to make. */
export interface Request {
  /** Absolute, http or https. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The very moment that it is signed for, as the answer tells it again. */
  readonly started_at: string
}

/** What came of it, as an attempt is recorded: a status code, or an error. */
export interface Answer extends Omit<Delivery.Attempt, "number"> {
  /** The `Retry-After` header, as it was received. */
  readonly retry_after: string | null
}

/** Sends requests to targets that are not trusted. It judges their addresses and follows no redirect. */
export class Sender extends Context.Service<
  Sender,
  {
    /**
     * Never fails: what goes wrong is an answer, and so is silence after `timeout_ms` of the settings, which is one deadline
     * over name look-up, connect, TLS and the headers of the answer. It dies when this machine, not the receiver, is at
     * fault. Interrupting it closes the connection.
     */
    readonly send: (request: Request) => Effect.Effect<Answer>
  }
>()("@tc/server/Sender") {}
