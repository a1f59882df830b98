import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import { Config, DeliverySettings, deliveryDefaults } from "../src/index.ts"

it("an environment that says nothing of deliveries leaves them as a program has them that embeds the service", () => {
  const { deliveries } = Result.getOrThrow(Config.parse({}, false))
  assert.deepStrictEqual(deliveries, deliveryDefaults)
  assert.deepStrictEqual(DeliverySettings.defaultValue(), deliveryDefaults)
})
