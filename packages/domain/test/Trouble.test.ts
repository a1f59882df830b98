import { assert, describe, it } from "@effect/vitest"
import { Id, Trouble, type WebhookEndpoint } from "../src/index.ts"

const subject = (
  status: WebhookEndpoint.Status,
  consecutive_failures: number,
  succeeded: number,
  retried: number,
): Trouble.Subject => ({
  endpoint: { id: Id.WebhookEndpointId.id.make(crypto.randomUUID()), status, consecutive_failures },
  outcomes: { succeeded, retried, failed: 0 },
})

describe("an endpoint", () => {
  it.each([
    [null, "active", 0, 0, 0],
    [null, "active", 0, 9, 1],
    ["low_success_rate", "active", 0, 89, 11],
    ["failing", "active", 1, 10, 0],
    ["auto_disabled", "auto-disabled", 0, 10, 0],
    [null, "disabled", 3, 0, 10],
  ] as const)(
    "has the trouble %s where it is %s with %d failures, %d of its attempts well and %d not",
    (why, status, failures, succeeded, retried) =>
      assert.strictEqual(Trouble.reasonOf(subject(status, failures, succeeded, retried)), why),
  )

  it("is listed before others where it is worse", () => {
    const ranked = [
      subject("auto-disabled", 5, 0, 0),
      subject("auto-disabled", 1, 0, 0),
      subject("active", 2, 9, 1),
      subject("active", 1, 1, 9),
      subject("active", 1, 2, 8),
      subject("active", 0, 1, 9),
      subject("active", 0, 1, 1),
      subject("active", 0, 0, 0),
    ]
    assert.deepStrictEqual(ranked.toReversed().toSorted(Trouble.byWorst), ranked)
  })
})
