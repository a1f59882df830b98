/** What an operator can set of the HTTP side, beside `DeliverySettings`. */
import { Context } from "effect"

/** All of it. */
export type HttpSettings = Settings

export interface Settings {
  /**
   * Where a program that embeds the routes has mounted them, such as `/customizer`; else empty. `Location` and the documents
   * begin with it; requests arrive without it, as what mounts them takes it off.
   */
  readonly base_path: string
  /** One line in the log for each request. */
  readonly log_requests: boolean
  /** Milliseconds between two writes of when keys were last used. */
  readonly key_use_interval_ms: number
}

export const defaults: Settings = { base_path: "", log_requests: true, key_use_interval_ms: 5_000 }

/** The defaults, unless others are provided. */
export const HttpSettings: Context.Reference<Settings> = Context.Reference("@tc/server/HttpSettings", {
  defaultValue: () => defaults,
})
