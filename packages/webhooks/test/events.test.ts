import { assert, it } from "@effect/vitest"
import { type UnknownEvent, verify, type WebhookEvent } from "../src/verify.ts"
import { brand, current, envelope, id, now } from "./Vector.ts"

/** What a receiver writes. It compiles only while the name of an event narrows its data. */
const describe = (event: WebhookEvent | UnknownEvent): string => {
  if (event.event === "design.finalized") return `design ${event.data.preview_url}`
  switch (event.event) {
    case "webhook_endpoint.disabled":
      return `endpoint ${event.data.url}`
    case "bulk_order.completed":
      return `order of ${event.data.total_quantity}`
    default:
      return `${event.event.toUpperCase()} in ${event.account_id}`
  }
}

it.each([
  ["design.finalized", { preview_url: "a.png" }, "design a.png"],
  ["webhook_endpoint.disabled", { url: "https://example.com" }, "endpoint https://example.com"],
  ["bulk_order.completed", { total_quantity: 12 }, "order of 12"],
  ["design.teleported", {}, `DESIGN.TELEPORTED in ${id}`],
])("a receiver tells %s by its name", async (event, data, expected) => {
  const body = envelope(data, event)
  const result = await verify({ headers: brand(body), body }, current, { now: now * 1000 })
  assert.strictEqual(result.ok ? describe(result.event) : result.reason, expected)
})
