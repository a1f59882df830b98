/** What an operator can set of the dashboard. */
import { Context } from "effect"

/** All of it. */
export type DashboardSettings = Settings

export interface Settings {
  /** The origin under which people reach the service, such as `https://tc.example`; null for the one they ask for. */
  readonly public_origin: string | null
  /** Whether a proxy in front of the service says, in `X-Forwarded-For` and `X-Forwarded-Proto`, who calls and how. */
  readonly trust_proxy: boolean
}

export const defaults: Settings = { public_origin: null, trust_proxy: false }

/** The defaults, unless others are provided. */
export const DashboardSettings: Context.Reference<Settings> = Context.Reference("@tc/server/DashboardSettings", {
  defaultValue: () => defaults,
})
