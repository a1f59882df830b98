/**
 * The service inside an Express application: its API answers under a path, and a route of the application's own makes designs
 * through the repository, of which webhooks tell too. Run it: `node scripts/run.mjs examples/embedded-in-express/main.ts`.
 */
import { getRequestListener } from "@hono/node-server"
import { Errors as Failures } from "@tc/api"
import { Design, Errors, type Id } from "@tc/domain"
import { Bootstrap, Handler, SecretBox, Service } from "@tc/server"
import { UndiciSender } from "@tc/server/node"
import { Designs, layerMemory } from "@tc/store"
import { Effect, Schema } from "effect"
import express, { type ErrorRequestHandler } from "express"

const service = Service.layer({
  storage: layerMemory,
  sender: UndiciSender.layer(),
  secrets: SecretBox.layer(crypto.getRandomValues(new Uint8Array(SecretBox.KEY_BYTES))),
  deliveries: { allow_private: true }, // Webhooks may go to this machine itself: for trying it out only.
  http: { base_path: "/customizer", log_requests: false },
})

/** Begins a design for a visitor, each in a session of its own. */
const begin = Effect.fn("begin")(function* (account_id: Id.AccountId, visitor: string, product_id: string) {
  const design = yield* Schema.decodeUnknownEffect(Design.resource.create)({ product_id, metadata: { visitor } }).pipe(
    Effect.mapError(() => Errors.missingReference("product_id", "product")),
  )
  return yield* (yield* Designs).create(account_id, { ...design, session_token: crypto.randomUUID() })
})

/** Answers as the API would. */
const refuse: ErrorRequestHandler = (error, _request, response, next) =>
  Failures.isFailure(error) ? response.status(Failures.statusOf(error)).json(error) : next(error)

export const start = async () => {
  const { handler, run, dispose: stop } = Handler.make(service)
  const { account_id, key } = await run(Bootstrap.run(null))
  const app = express()
    .use("/customizer", getRequestListener(handler, { overrideGlobalObjects: false }))
    .post("/visitors/:visitor/products/:product", async ({ params }, response) => {
      response.status(201).json(await run(begin(account_id, params.visitor, params.product)))
    })
    .use(refuse)
  return { app, key, stop }
}

if (process.argv[1] === import.meta.filename) {
  const { app, key } = await start()
  app.listen(3002, "127.0.0.1", () => console.log(`http://127.0.0.1:3002/customizer/api/v1, with the key ${key}`))
}
