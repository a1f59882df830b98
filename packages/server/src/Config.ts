/** The configuration of the reference server, read from the environment as one value. Pure; the table is in the README. */
import { ApiKey, Limits, Member } from "@tc/domain"
import { Retry } from "@tc/webhooks"
import { Option, Redacted, Result, Schema } from "effect"
import { type DashboardSettings, defaults as dashboardDefaults } from "./dashboard/DashboardSettings.ts"
import type { Admin } from "./dashboard/FirstMember.ts"
import { type DeliverySettings, defaults } from "./DeliverySettings.ts"
import * as Setting from "./Setting.ts"
import { settings } from "./Settings.ts"

export interface Config {
  readonly host: string
  readonly port: number
  readonly role: "api" | "worker" | "all"
  readonly log: "pretty" | "json"
  readonly storage: Storage
  /** 32 bytes that encrypt signing secrets; null where the storage keeps one of its own. */
  readonly secret_key: Redacted.Redacted<Uint8Array> | null
  /** A key with all scopes for the account `default`. */
  readonly bootstrap_api_key: Redacted.Redacted | null
  readonly deliveries: DeliverySettings
  readonly dashboard: Dashboard
}

/** The dashboard, and who is to be able to sign in from the start. */
export interface Dashboard extends DashboardSettings {
  readonly admin: Admin | null
}

/** Where the records are. */
export type Storage =
  | { readonly kind: "memory" }
  | { readonly kind: "embedded"; readonly data_dir: string }
  | { readonly kind: "postgres"; readonly url: Redacted.Redacted; readonly connections: number }

const SECRET_KEY_BYTES = 32
const TIMEOUT_MIN_MS = 100
const TIMEOUT_MAX_MS = 600_000
const RETENTION_MIN_MS = 60_000
const RETENTION_MAX_MS = 3_650 * 86_400_000
/** Connections of one process to its database, unless it is told otherwise. */
export const DATABASE_CONNECTIONS = 20

const secretKey: Setting.Setting<Uint8Array> = {
  secret: true,
  allowed: `${SECRET_KEY_BYTES} bytes in base64, such as \`openssl rand -base64 32\` prints`,
  read: (text) => {
    if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) return undefined
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  },
}

const apiKey: Setting.Setting<string> = {
  secret: true,
  allowed: "`tc_` followed by 64 hexadecimal characters",
  read: (text) => (ApiKey.isKey(text) ? text : undefined),
}

const databaseUrl: Setting.Setting<string> = {
  secret: true,
  allowed: "a URL such as postgres://user:password@host:5432/database",
  read: (text) => (["postgres:", "postgresql:"].includes(URL.parse(text)?.protocol ?? "") ? text : undefined),
}

const schedule: Setting.Setting<Retry.Schedule> = {
  allowed: "the delays before each attempt, such as 0s,1m,5m,30m,2h,12h: up to 100, of up to 30d",
  read: (text) => {
    const parsed = Retry.parse(text)
    return parsed.ok ? parsed.schedule : undefined
  },
}

const timeout = Setting.duration("one duration from 100ms to 10m, such as 30s", TIMEOUT_MIN_MS, TIMEOUT_MAX_MS)

const age = Setting.duration(
  'one duration from 1m to 3650d, such as 30d or 12h, or "off" to keep all for ever',
  RETENTION_MIN_MS,
  RETENTION_MAX_MS,
)
const retention: Setting.Setting<number | null> = {
  ...age,
  read: (text) => (text === "off" ? null : age.read(text)),
}

const email: Setting.Setting<string> = {
  allowed: "an e-mail address",
  read: (text) => Option.getOrUndefined(Schema.decodeUnknownOption(Member.EmailInput)(text)),
}

const password: Setting.Setting<string> = {
  secret: true,
  allowed: `a password of ${Limits.PASSWORD_MIN_CHARACTERS} to ${Limits.PASSWORD_MAX_CHARACTERS} characters, at least ${Limits.PASSWORD_MIN_DISTINCT} of them different`,
  read: (text) => Option.getOrUndefined(Schema.decodeUnknownOption(Member.Password)(text)),
}

const origin: Setting.Setting<string> = {
  allowed: "the origin under which people reach the service, such as https://tc.example",
  read: (text) => {
    const url = URL.parse(text)
    const isOrigin = url !== null && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(text)
    return isOrigin ? url.origin : undefined
  },
}

const brand = Setting.text("one word of letters and digits, up to 32", /^[A-Za-z][A-Za-z0-9]{0,31}$/)

/** Variables that look like settings and are none: they are probably misspelt. */
export const unknown = (env: Setting.Environment): ReadonlyArray<string> =>
  Object.keys(env).filter((name) => name.startsWith("TC_") && !Object.hasOwn(settings, name))

/** Reads one variable. A problem with it is kept, and the fallback serves until all are known. */
type Get = <A, B>(name: string, setting: Setting.Setting<A>, fallback: B) => A | B

/** Reads the whole environment; on failure, every problem at once. `terminal` says whether a person watches the log. */
export const parse = (
  env: Setting.Environment,
  terminal: boolean,
): Result.Result<Config, ReadonlyArray<Setting.Problem>> => {
  const problems: Array<Setting.Problem> = []
  const get: Get = (name, setting, fallback) =>
    Result.getOrElse(Setting.read(env, name, setting, fallback), (problem) => {
      problems.push(problem)
      return fallback
    })
  const url = get("DATABASE_URL", databaseUrl, null)
  const key = get("TC_SECRET_KEY", secretKey, null)
  const bootstrap = get("TC_BOOTSTRAP_API_KEY", apiKey, null)
  const config: Config = {
    host: get("HOST", Setting.text("a host name or address", /^[A-Za-z0-9.:_-]{1,253}$/), "127.0.0.1"),
    port: get("PORT", Setting.integer(0, 65_535), 3_000),
    role: get("TC_ROLE", Setting.oneOf("api", "worker", "all"), "all"),
    log: get("TC_LOG", Setting.oneOf("pretty", "json"), terminal ? "pretty" : "json"),
    storage: storage(get, url),
    secret_key: key === null ? null : Redacted.make(key),
    bootstrap_api_key: bootstrap === null ? null : Redacted.make(bootstrap),
    deliveries: deliveries(get),
    dashboard: dashboard(get),
  }
  problems.push(...missing(config, url, problems), ...half(env))
  return problems.length === 0 ? Result.succeed(config) : Result.fail(problems)
}

const storage = (get: Get, url: string | null): Storage => {
  const kind = get("TC_STORE", Setting.oneOf("memory", "embedded", "postgres"), url === null ? "embedded" : "postgres")
  const connections = get("TC_DATABASE_CONNECTIONS", Setting.integer(2, 1_000), DATABASE_CONNECTIONS)
  const data_dir = get("TC_DATA_DIR", Setting.text("a directory", /./), ".tc")
  if (kind === "embedded") return { kind, data_dir }
  return kind === "memory" ? { kind } : { kind, url: Redacted.make(url ?? ""), connections }
}

const deliveries = (get: Get): DeliverySettings => ({
  brand: get("TC_BRAND", brand, defaults.brand),
  schedule: get("TC_WEBHOOK_SCHEDULE", schedule, defaults.schedule),
  timeout_ms: get("TC_WEBHOOK_TIMEOUT", timeout, defaults.timeout_ms),
  disable_after: get("TC_WEBHOOK_DISABLE_AFTER", Setting.integer(1, 1_000_000), defaults.disable_after),
  allow_private: get("TC_WEBHOOK_ALLOW_PRIVATE", Setting.boolean, defaults.allow_private),
  concurrency: get("TC_WEBHOOK_CONCURRENCY", Setting.integer(1, 10_000), defaults.concurrency),
  per_endpoint: get("TC_WEBHOOK_PER_ENDPOINT", Setting.integer(1, 1_000), defaults.per_endpoint),
  retention_ms: get("TC_RETENTION", retention, defaults.retention_ms),
  window: defaults.window,
  circuit: defaults.circuit,
  poll_ms: defaults.poll_ms,
})

const dashboard = (get: Get): Dashboard => {
  const address = get("TC_ADMIN_EMAIL", email, null)
  const chosen = get("TC_ADMIN_PASSWORD", password, null)
  return {
    public_origin: get("TC_PUBLIC_ORIGIN", origin, dashboardDefaults.public_origin),
    trust_proxy: get("TC_TRUST_PROXY", Setting.boolean, dashboardDefaults.trust_proxy),
    admin: address === null || chosen === null ? null : { email: address, password: Redacted.make(chosen) },
  }
}

/** An address without a password, or the other way round. */
const half = (env: Setting.Environment): ReadonlyArray<Setting.Problem> => {
  const pair = [
    ["TC_ADMIN_EMAIL", email.allowed],
    ["TC_ADMIN_PASSWORD", password.allowed],
  ] as const
  const absent = pair.filter(([name]) => (env[name] ?? "") === "")
  return absent.length === 1 ? absent.map(([name, allowed]) => ({ name, given: null, allowed })) : []
}

/** What PostgreSQL needs and was not given; one that was given wrong has been told of. */
const missing = (
  { secret_key, storage }: Config,
  url: string | null,
  problems: ReadonlyArray<Setting.Problem>,
): ReadonlyArray<Setting.Problem> => {
  const told = ["DATABASE_URL", "TC_SECRET_KEY"].some((name) => problems.some((problem) => problem.name === name))
  if (storage.kind !== "postgres" || told) return []
  return [
    ...(url === null ? [{ name: "DATABASE_URL", given: null, allowed: databaseUrl.allowed }] : []),
    ...(secret_key === null ? [{ name: "TC_SECRET_KEY", given: null, allowed: secretKey.allowed }] : []),
  ]
}
