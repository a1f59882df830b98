/** The settings of an endpoint as its form has them, and as the server takes them. */
import type { EventName } from "./EventTypes.ts"
import { type Endpoint, type Settings, wrongUrl } from "./WebhookEndpoints.ts"

export interface Input {
  readonly url: string
  readonly description: string
  readonly all: boolean
  readonly events: ReadonlyArray<EventName>
  readonly max_per_second: string
  readonly ordered: boolean
  readonly disable_on_gone: boolean
}

const fresh: Input = {
  url: "",
  description: "",
  all: true,
  events: [],
  max_per_second: "",
  ordered: false,
  disable_on_gone: false,
}

/** What the form begins with. */
export const inputOf = (endpoint: Endpoint | null): Input => {
  if (endpoint === null) return fresh
  const { url, description, events, max_per_second, ordered, disable_on_gone } = endpoint
  const names = events.filter((name) => name !== "*")
  return {
    url,
    description: description ?? "",
    all: names.length === 0,
    events: names,
    max_per_second: max_per_second === null ? "" : String(max_per_second),
    ordered,
    disable_on_gone,
  }
}

export const settingsOf = ({ url, description, all, events, max_per_second, ...rest }: Input): Settings => ({
  url,
  events: all ? ["*"] : events,
  description: description.trim() === "" ? null : description.trim(),
  max_per_second: max_per_second.trim() === "" ? null : Number(max_per_second),
  ordered: rest.ordered,
  disable_on_gone: rest.disable_on_gone,
})

/** What is wrong with a rate, or null. */
export const wrongRate = (rate: string): string | null =>
  rate.trim() === "" || (/^\d{1,4}$/u.test(rate.trim()) && Number(rate) >= 1 && Number(rate) <= 1000)
    ? null
    : "Enter a whole number from 1 to 1,000, or leave it empty."

/** What is wrong with each field. The URL that an endpoint has already is none of the form's business. */
export const validOf = (endpoint: Endpoint | null) => ({
  url: (url: string) => (url === endpoint?.url ? null : wrongUrl(url)),
  events: (events: Input["events"], { all }: Input) =>
    all || events.length > 0 ? null : "Choose at least one event, or all.",
  max_per_second: wrongRate,
})
