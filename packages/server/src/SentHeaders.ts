/** The headers that an attempt was sent with, made again from what is kept: they are not kept themselves. */
import type { Dashboard } from "@tc/api"
import { type Delivery, type Id, SigningSecrets } from "@tc/domain"
import type { EndpointSettings } from "@tc/store"
import { Signer } from "@tc/webhooks"
import { Effect } from "effect"
import { DeliverySettings } from "./DeliverySettings.ts"
import { SecretBox } from "./SecretBox.ts"

/** Of which delivery, with what is still there of it. */
export interface Sent {
  readonly account_id: Id.AccountId
  readonly id: Id.DeliveryId
  readonly endpoint_id: Id.WebhookEndpointId
  readonly event: string
  /** Null once its event is pruned. */
  readonly body: string | null
}

type SentHeaders = Pick<typeof Dashboard.SentAttempt.Type, "headers" | "unsigned" | "signed_by_present">

/** The moment that was signed, and with what of the endpoint; null where that is not known. */
export interface Attempt extends Pick<Delivery.Attempt, "started_at"> {
  readonly settings: EndpointSettings | null
}

type Secrets = ReadonlyArray<SigningSecrets.SigningSecret>

/** Any secret: what it signs is left out. */
const NO_SECRET = `whsec_${"A".repeat(32)}`

/** What `UndiciSender` and its connection add. A sender of another kind may add others. */
const added = (url: string) => ({ host: new URL(url).host, connection: "keep-alive" })

const isSignature = (name: string) => /^(x-.+|webhook)-signature$/i.test(name)

/**
 * Writes the headers of attempts; `present` is what their endpoint is now, null where it is deleted. They are exactly those that
 * were sent where the brand is the same today. Each attempt takes a turn of its own: a signature reads the whole body, which
 * may be of 12 MiB, and attempts may be many.
 */
export const make = Effect.fnUntraced(function* (sent: Sent, present: EndpointSettings | null) {
  const { brand } = yield* DeliverySettings
  const box = yield* SecretBox
  const { id, event, endpoint_id, account_id } = sent
  const body = sent.body === null ? null : new TextEncoder().encode(sent.body)
  /** By what is stored; most attempts have the same. */
  const opened = new Map<string, Secrets | null>()

  /** All secrets that are stored, those included that sign no more: they did at the time. Null where one cannot be read. */
  const open = Effect.fnUntraced(function* (stored: string) {
    const known = opened.get(stored)
    if (known !== undefined) return known
    const secrets = yield* Effect.forEach(SigningSecrets.all(stored), ({ secret, until }) =>
      Effect.map(box.decrypt(secret, { account_id, endpoint_id }), (secret) => ({ secret, until })),
    ).pipe(Effect.catchDefect(() => Effect.succeed(null)))
    opened.set(stored, secrets)
    return secrets
  })

  const why = (settings: EndpointSettings | null, secrets: Secrets | null): SentHeaders["unsigned"] => {
    if (present === null) return "endpoint_deleted"
    if (body === null) return "event_pruned"
    if (settings === null) return "settings_unknown"
    return secrets === null ? "secret_unreadable" : null
  }

  const isPresent = (settings: EndpointSettings | null, at: number) => {
    const signing = settings === null ? [] : SigningSecrets.valid(settings.secret, at)
    return present !== null && signing.some(({ secret }) => secret === SigningSecrets.present(present.secret))
  }

  const write = ({ started_at, settings }: Attempt, secrets: Secrets | null): SentHeaders => {
    const at = Date.parse(started_at)
    const unsigned = why(settings, secrets)
    const valid = (unsigned === null ? secrets : null)?.filter(({ until }) => at < until)
    const signing = valid?.map(({ secret }) => secret) ?? NO_SECRET
    const attempt = { id, event, timestamp: Math.floor(at / 1_000), body: (unsigned === null ? body : null) ?? "" }
    const written = Object.entries(Signer.make(signing, { brand }).headers(attempt))
    const headers = {
      ...(settings === null ? {} : added(settings.url)),
      ...Object.fromEntries(written.filter(([name]) => unsigned === null || !isSignature(name))),
      "accept-encoding": "identity",
      ...(body === null ? {} : { "content-length": `${body.length}` }),
    }
    return { headers, unsigned, signed_by_present: unsigned === null && isPresent(settings, at) }
  }

  return Effect.fnUntraced(function* (attempt: Attempt) {
    yield* Effect.yieldNow
    return write(attempt, attempt.settings === null ? null : yield* open(attempt.settings.secret))
  })
})
