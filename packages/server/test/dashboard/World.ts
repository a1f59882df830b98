/** A server with the dashboard, and people who use it as a browser would: with cookies, from a page of an origin. */
import { Account, type ApiKey } from "@tc/domain"
import { Accounts, layerMemory } from "@tc/store"
import { Effect, Layer, References } from "effect"
import * as FirstMember from "../../src/dashboard/FirstMember.ts"
import { defaults, type Settings } from "../../src/dashboard/DashboardSettings.ts"
import type { Settings as DeliverySettings } from "../../src/DeliverySettings.ts"
import { Bootstrap, type Request, SecretBox, Sender, Service } from "../../src/index.ts"
import { Server } from "../../src/node/index.ts"
import * as Scrypt from "../../src/node/Scrypt.ts"

export const PASSWORD = "correct horse battery"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- what the wire brings is looked at field by field
  readonly body: any
}

export interface Sent {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Somebody at a browser: what they get as cookies they send again. */
export class Person {
  readonly #origin: string
  readonly #own: Readonly<Record<string, string>>
  readonly cookies = new Map<string, string>()

  constructor(origin: string, headers: Readonly<Record<string, string>> = {}) {
    this.#origin = origin
    this.#own = { origin, ...headers }
  }

  /** Asks for an operation of the dashboard's API. */
  async ask(path: string, { method = "GET", body, headers = {} }: Sent = {}): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetch(`${this.#origin}/dashboard/api/v1/${path}`, {
      method,
      headers: { "content-type": "application/json", ...this.#own, cookie, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) }
  }

  post(path: string, body?: unknown): Promise<Answer> {
    return this.ask(path, { method: "POST", body })
  }

  #keep(line: string): void {
    const [pair = ""] = line.split(";")
    const at = pair.indexOf("=")
    if (/max-age=0/i.test(line)) this.cookies.delete(pair.slice(0, at))
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

/** Receivers that answer everything at once with a status, and what they were sent. */
export const receivers = (status_code = 200) => {
  const sent: Array<Request> = []
  const answer = {
    started_at: "2026-11-22T12:00:00.000Z",
    duration_ms: 3,
    error: null,
    response_excerpt: "noted",
    retry_after: null,
  }
  const send = (request: Request) => Effect.sync(() => (sent.push(request), { ...answer, status_code }))
  return { sent, layer: Layer.succeed(Sender, { send }) }
}

const nobody = Layer.succeed(Sender, { send: () => Effect.never })

/** The same as `start`, with passwords that are as slow as they are meant to be. */
export const startSlow = Effect.fnUntraced(function* (
  settings: Partial<Settings> = {},
  sender: Layer.Layer<Sender> = nobody,
  deliveries: Partial<DeliverySettings> = {},
  storage: typeof layerMemory = layerMemory,
) {
  const level = yield* References.MinimumLogLevel
  const service = yield* Layer.build(
    Service.layer({
      storage,
      sender,
      secrets: SecretBox.layer(new Uint8Array(SecretBox.KEY_BYTES)),
      deliveries,
      http: { log_requests: false },
    }).pipe(Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, level === "Info" ? "Error" : level))),
  )
  const shared = Layer.merge(Layer.succeedContext(service), Scrypt.layer)
  const origin = yield* Server.serve(Layer.succeedContext(service), {
    port: 0,
    dashboard: { ...defaults, ...settings },
  })
  const token = yield* Effect.provide(FirstMember.run(null), shared)
  const run = <A, E>(effect: Effect.Effect<A, E, Service.Service>) => Effect.provideContext(effect, service)
  return { origin, token, run, shared }
})

/** What a hash costs where it matters to nobody. */
const cheap = { ln: 4, r: 8, p: 1 }

/** A service with nobody in it: its origin, the token for the first member, and how to run an effect over its storage. */
export const start = (...given: Parameters<typeof startSlow>): ReturnType<typeof startSlow> =>
  Effect.provideService(startSlow(...given), Scrypt.ScryptCost, cheap)

type World = Effect.Success<ReturnType<typeof start>>

const ask = <A>(run: () => Promise<A>) => Effect.promise(run)

/** The first member, an owner, signed in. */
export const owner = ({ origin, token }: World, email = "ada@example.com") =>
  ask(async () => {
    const person = new Person(origin)
    await person.post("sign_ups", { token, email, name: "Ada", password: PASSWORD })
    return person
  })

/** Somebody who accepts an invitation of an owner. */
export const invited = ({ origin }: World, owner: Person, role: string, email: string) =>
  ask(async () => {
    const { body } = await owner.post("invitations", { role })
    const person = new Person(origin)
    await person.post("sign_ups", { token: body.token, email, name: email, password: PASSWORD })
    return person
  })

/** The owner of another account of the same service. */
export const stranger = (world: World) =>
  Effect.gen(function* () {
    const { id } = yield* world.run(Effect.flatMap(Accounts, ({ ensure }) => ensure("Elsewhere")))
    const token = yield* Effect.provide(FirstMember.invite(id), world.shared)
    return yield* owner({ ...world, token }, "eve@example.com")
  })

/** Whether the REST API takes a key. */
export const takes = ({ origin }: World, key: string) =>
  ask(async () => (await fetch(`${origin}/api/v1/stores`, { headers: { "x-api-key": key } })).status)

/** A key that is made without the dashboard. */
export const key = ({ run }: World, scopes: ReadonlyArray<ApiKey.Scope> = ["read"]) =>
  run(
    Effect.gen(function* () {
      const { id: account_id } = yield* (yield* Accounts).ensure(Account.DEFAULT_NAME)
      return yield* Bootstrap.createKey({ account_id, name: "Other", scopes, expires_at: null })
    }),
  )
