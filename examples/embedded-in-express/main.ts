/**
 * The service inside an Express application: its API answers under a path, and a route of the application's own makes designs
 * through the repository, of which webhooks tell as of any other. Run it: `node examples/embedded-in-express/main.ts`.
 */
import { getRequestListener } from "@hono/node-server"
import { Account, Design } from "@tc/domain"
import { Bootstrap, Handler, SecretBox, Service } from "@tc/server"
import { UndiciSender } from "@tc/server/node"
import { Accounts, Designs, layerMemory } from "@tc/store"
import { Effect, Schema } from "effect"
import express from "express"

const service = Service.layer({
  storage: layerMemory,
  sender: UndiciSender.layer(),
  secrets: SecretBox.layer(crypto.getRandomValues(new Uint8Array(SecretBox.KEY_BYTES))),
  // Webhooks may go to this machine itself: for trying it out only.
  deliveries: { allow_private: true },
  http: { base_path: "/customizer", log_requests: false },
})

/** Begins a design for a visitor; the account's webhook endpoints are told. */
const begin = Effect.fn("begin")(function* (product_id: string, session_token: string) {
  const { id: account_id } = yield* (yield* Accounts).ensure(Account.DEFAULT_NAME)
  const design = yield* Schema.decodeUnknownEffect(Design.resource.create)({ product_id })
  return yield* (yield* Designs).create(account_id, { ...design, session_token })
})

export const start = async () => {
  const { handler, run, dispose: stop } = Handler.make(service)
  const { key } = await run(Bootstrap.run(null))
  const app = express()
    .use("/customizer", getRequestListener(handler, { overrideGlobalObjects: false }))
    .post("/visitors/:visitor/products/:product", ({ params }, response) =>
      run(begin(params.product, params.visitor)).then((design) => response.status(201).json(design)),
    )
  return { app, key, stop }
}

if (process.argv[1] === import.meta.filename) {
  const { app, key } = await start()
  app.listen(3000, "127.0.0.1", () =>
    console.log(`API at http://127.0.0.1:3000/customizer/api/v1, with the key ${key}`),
  )
}
