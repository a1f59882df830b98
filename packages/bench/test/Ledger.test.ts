import { assert, describe, it } from "@effect/vitest"
import * as Ledger from "../src/Ledger.ts"

const counts = { delivered: 10, pending: 0, failed: 0, canceled: 0 }
const received = { requests: 10, deliveries: 10, pairs: 10 }
const good = { accepted: 10, counts, received, at_least_once: false }

describe("the ledger", () => {
  it("balances where everything accepted was delivered once", () => {
    const ledger = Ledger.make(good)
    assert.isTrue(ledger.balanced)
    assert.deepStrictEqual(ledger.problems, [])
  })

  it("balances where some wait, have failed or were canceled", () => {
    const open = { ...good, accepted: 16, counts: { delivered: 10, pending: 1, failed: 2, canceled: 3 } }
    assert.isTrue(Ledger.make(open).balanced)
  })

  it.each([
    ["an accepted delivery that is stored nowhere", { accepted: 11 }, "1 accepted deliveries are stored nowhere"],
    ["one that is stored and was not accepted", { accepted: 9 }, "1 deliveries are stored that were not accepted"],
    [
      "one that is recorded and was never received",
      { received: { requests: 9, deliveries: 9, pairs: 9 } },
      "1 deliveries are recorded that nobody received",
    ],
    [
      "one that was received and is not recorded",
      { received: { requests: 11, deliveries: 11, pairs: 11 } },
      "1 deliveries were received and not recorded",
    ],
    ["one that came twice", { received: { requests: 11, deliveries: 10, pairs: 10 } }, "1 deliveries came twice"],
    [
      "an event that came to an endpoint in two deliveries",
      { accepted: 11, counts: { ...counts, delivered: 11 }, received: { requests: 11, deliveries: 11, pairs: 10 } },
      "1 deliveries came twice",
    ],
  ])("does not balance with %s", (_, wrong, problem) => {
    const ledger = Ledger.make({ ...good, ...wrong })
    assert.isFalse(ledger.balanced)
    assert.deepStrictEqual(ledger.problems, [problem])
  })

  it("counts what came twice where that may be, and balances", () => {
    const twice = { ...good, received: { requests: 13, deliveries: 10, pairs: 10 }, at_least_once: true }
    const ledger = Ledger.make(twice)
    assert.strictEqual(ledger.duplicates, 3)
    assert.isTrue(ledger.balanced)
  })
})
