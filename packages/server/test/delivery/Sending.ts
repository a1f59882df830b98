/** What the tests of the sender have in common: the real one, and servers of this machine for it to send to. */
import { setTimeout } from "node:timers/promises"
import { Effect, Layer } from "effect"
import { defaults, DeliverySettings, type Settings } from "../../src/DeliverySettings.ts"
import type { Resolve } from "../../src/node/Resolver.ts"
import * as UndiciSender from "../../src/node/UndiciSender.ts"
import { type Answer, Sender } from "../../src/Sender.ts"
import * as Servers from "./Servers.ts"

/** Sends to public addresses only, unless the settings say otherwise. */
export const layer = (settings: Partial<Settings> = {}, options: UndiciSender.Options = {}) =>
  UndiciSender.layer(options).pipe(Layer.provide(Layer.succeed(DeliverySettings, { ...defaults, ...settings })))

/** Sends to this machine too. */
export const open = (settings: Partial<Settings> = {}, options: UndiciSender.Options = {}) =>
  layer({ allow_private: true, ...settings }, options)

const body = new TextEncoder().encode(`{"id":"1"}`)

/** When everything here is sent. */
export const started_at = "2026-11-21T12:00:00.000Z"

export const send = (url: string, bytes: Uint8Array = body) =>
  Sender.use((sender) => sender.send({ url, headers: { "X-Test": "1" }, body: bytes, started_at }))

/** A kept connection can be used again a turn of the event loop after its answer. */
export const sendAndRest = (url: string) => Effect.tap(send(url), Effect.sleep(20))

export const local = ({ port }: { readonly port: number }, path = "/hook") => `http://127.0.0.1:${port}${path}`

/** What an answer says, without its times. */
export const said = ({ status_code, error }: Answer) => status_code ?? error

/** Every name has these addresses. */
export const addresses =
  (...found: ReadonlyArray<string>): Resolve =>
  async () =>
    found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))

/** Does something after the bytes before it have arrived, or after so many milliseconds. */
export const later = (run: () => void, millis = 50) => void setTimeout(millis).then(run)

/** A server that counts the connections made to it. */
export const counting = (host = "127.0.0.1") =>
  Effect.gen(function* () {
    let connections = 0
    const server = yield* Servers.http((_, response) => void response.end(), host)
    server.server.on("connection", () => (connections += 1))
    return { port: server.port, connections: () => connections }
  })
