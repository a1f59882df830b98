/** People who look at what was sent, and the real receivers that it was sent to. */
import { Effect, Layer } from "effect"
import { DeliverySettings, deliveryDefaults } from "../../src/index.ts"
import * as UndiciSender from "../../src/node/UndiciSender.ts"
import * as Receiver from "../blackbox/Receiver.ts"
import { until } from "../blackbox/Until.ts"
import { owner, type Person, start } from "./World.ts"

export const BRAND = "Acme"
const deliveries = { ...deliveryDefaults, brand: BRAND, allow_private: true }
const sender = Layer.provide(UndiciSender.layer(), Layer.succeed(DeliverySettings, deliveries))

/** A real receiver, for as long as the test lasts. */
export const listening = Effect.acquireRelease(
  Effect.promise(() => Receiver.listen()),
  ({ close }) => Effect.sync(close),
)

/** An owner with an endpoint of a real receiver. */
export const begin = Effect.fnUntraced(function* (storage?: Parameters<typeof start>[3]) {
  const world = yield* start({}, sender, deliveries, storage)
  const ada = yield* owner(world)
  const receiver = yield* listening
  const hook = receiver.hook(Receiver.status(200))
  const { body: endpoint } = yield* Effect.promise(() =>
    ada.post("webhook_endpoints", { url: hook.url, events: ["asset.created"] }),
  )
  const { body: key } = yield* Effect.promise(() => ada.post("api_keys", { name: "Shop", scopes: ["write"] }))
  const happen = (name: string) =>
    fetch(`${world.origin}/api/v1/assets`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key.key },
      body: JSON.stringify({ name, asset_type: "clipart" }),
    })
  return { world, ada, receiver, hook, endpoint, at: `webhook_endpoints/${endpoint.id}`, happen }
})

/** The latest delivery with so many attempts, once it has ended. */
export const ended = (person: Person, attempts = 1) =>
  until("a delivery has ended", async () => {
    const { body } = await person.ask("deliveries?per_page=1&status=succeeded")
    const [latest] = body.data
    return latest?.attempt_count === attempts ? (await person.ask(`deliveries/${latest.id}`)).body : undefined
  })

/** The headers of an attempt as they are shown, line by line. */
export const linesOf = ({ headers }: { readonly headers: Readonly<Record<string, string>> }): ReadonlyArray<string> =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
