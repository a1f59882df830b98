/** What the requests to an endpoint depend on, how an attempt notes which it was, and how that is found again. */
import { SigningSecrets, type WebhookEndpoint } from "@tc/domain"

type Endpoint = WebhookEndpoint.WebhookEndpoint

/** Where requests go, and the secrets that sign them, as the server encrypted them. */
export type EndpointSettings = Pick<Endpoint, "url" | "secret">

/** What held for an endpoint until it was changed. */
export interface FormerSettings extends EndpointSettings {
  readonly until: string
}

/** What the attempts of a delivery were sent with. */
export interface SentWith {
  /** What the endpoint is now. */
  readonly present: EndpointSettings
  /**
   * Of each attempt, the oldest first. Null where it is not known any more: `FORMER_SETTINGS_MAX` changes of an endpoint are kept,
   * none that retention has removed, and none from before they were kept at all.
   */
  readonly attempts: ReadonlyArray<EndpointSettings | null>
}

/** An attempt as far as it tells what it was sent with. */
export interface Marked {
  readonly started_at: string
  /** What `markOf` said of the settings it was sent with; 0 where nothing was noted. */
  readonly mark: number
}

/** Marks are 1 to so many: they go where milliseconds end and microseconds begin. */
const MARKS = 999

/**
 * Milliseconds for which an attempt may begin with settings that were changed before. A process that was not told makes what it
 * holds for 25 s more; the rest is for changes that take long to commit, and for clocks that differ.
 */
const STALE_MS = 60_000

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

const hashed = (text: string, seed: number): number => {
  let hash = seed
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME)
  return hash
}

/** Tells settings of one endpoint apart, nearly always (FNV-1a). */
export const markOf = ({ url, secret }: EndpointSettings): number =>
  ((hashed(secret, hashed(url, FNV_OFFSET)) >>> 0) % MARKS) + 1

/** What a change replaces, for it to be kept; undefined where requests go on as they did. */
export const replaced = ({ url, secret }: Endpoint, after: Endpoint, now: string): FormerSettings | undefined =>
  url === after.url && secret === after.secret ? undefined : { url, secret, until: now }

/**
 * What an attempt was sent with: what held when it began, or shortly before or after that, by its mark. Null where that is not
 * known any more. `former` are the oldest first.
 */
export const find = (
  { started_at, mark }: Marked,
  present: EndpointSettings,
  former: ReadonlyArray<FormerSettings>,
): EndpointSettings | null => {
  const at = Date.parse(started_at)
  const all = [
    ...former.map(({ until, ...settings }) => ({ settings, until: Date.parse(until) })),
    { settings: present, until: Infinity },
  ]
  const nth = all.findIndex(({ until }) => at < until)
  const holding = all[nth]!.settings
  // From before marks were made. What signed before the oldest secret that is known is not.
  if (mark === 0) return at < SigningSecrets.presentSince(holding.secret) ? null : holding
  const before = all.slice(0, nth).filter(({ until }) => until > at - STALE_MS)
  const after = all.slice(nth + 1).filter((_, next) => all[nth + next]!.until <= at + STALE_MS)
  const near = [
    holding,
    ...before.map(({ settings }) => settings).toReversed(),
    ...after.map(({ settings }) => settings),
  ]
  return near.find((settings) => markOf(settings) === mark) ?? null
}
