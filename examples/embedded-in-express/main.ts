/**
 * The service inside an Express application: its API answers under a path, and a route of the application's own makes designs
 * through the repository, of which webhooks tell as of any other. Run it: `node examples/embedded-in-express/main.ts`.
 */
import { getRequestListener } from "@hono/node-server"
import { Account, Design } from "@tc/domain"
import {
  Attempts,
  Bootstrap,
  DeliverySettings,
  Dispatcher,
  Handler,
  HttpSettings,
  Mailbox,
  SecretBox,
} from "@tc/server"
import { UndiciSender } from "@tc/server/node"
import { Accounts, Designs, layerMemory } from "@tc/store"
import { Context, Effect, Layer, ManagedRuntime, Schema } from "effect"
import express from "express"

// Webhooks may go to this machine itself: for trying it out only.
const settings = { ...Context.get(Context.empty(), DeliverySettings), allow_private: true }
const services = Dispatcher.layer.pipe(
  Layer.provideMerge(Attempts.layer),
  Layer.provide(UndiciSender.layer()),
  Layer.provideMerge(SecretBox.layer(crypto.getRandomValues(new Uint8Array(SecretBox.KEY_BYTES)))),
  Layer.provideMerge(layerMemory),
  Layer.provideMerge(Mailbox.layer),
  Layer.provideMerge(Layer.succeed(DeliverySettings, settings)),
  Layer.provideMerge(Layer.succeed(HttpSettings, { log_requests: false, key_use_interval_ms: 5_000 })),
)

/** Begins a design for a visitor; the account's webhook endpoints are told. */
const begin = Effect.fn("begin")(function* (product_id: string, session_token: string) {
  const { id: account_id } = yield* (yield* Accounts).ensure(Account.DEFAULT_NAME)
  const design = yield* Schema.decodeUnknownEffect(Design.resource.create)({ product_id, session_token })
  return yield* (yield* Designs).create(account_id, design, Design.begun)
})

export const start = async () => {
  const service = ManagedRuntime.make(services)
  const key = await service.runPromise(Bootstrap.run(null))
  const { handler, dispose } = Handler.make(Layer.effectContext(service.contextEffect))
  const app = express()
    .use("/customizer", getRequestListener(handler, { overrideGlobalObjects: false }))
    .post("/visitors/:visitor/products/:product", ({ params }, response) =>
      service.runPromise(begin(params.product, params.visitor)).then((design) => response.status(201).json(design)),
    )
  return { app, key, stop: () => dispose().then(service.dispose) }
}

if (process.argv[1] === import.meta.filename) {
  const { app, key } = await start()
  app.listen(3000, "127.0.0.1", () =>
    console.log(`API at http://127.0.0.1:3000/customizer/api/v1, with the key ${key}`),
  )
}
