/** What an operator can set of the HTTP side, beside `DeliverySettings`. */
import { Context } from "effect"

export interface Settings {
  /** One line in the log for each request. */
  readonly log_requests: boolean
  /** Milliseconds between two writes of when keys were last used. */
  readonly key_use_interval_ms: number
}

export const HttpSettings: Context.Reference<Settings> = Context.Reference("@tc/server/HttpSettings", {
  defaultValue: (): Settings => ({ log_requests: true, key_use_interval_ms: 5_000 }),
})
