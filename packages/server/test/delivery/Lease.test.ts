import { assert, describe, it } from "@effect/vitest"
import { Id } from "@tc/domain"
import type { Job } from "@tc/store"
import * as Lease from "../../src/Lease.ts"

const job = (lease_until: number): Job => ({
  account_id: Id.AccountId.id.make("0198a3f0-7c1e-7b6a-9d55-000000000001"),
  id: Id.DeliveryId.id.make("0198a3f0-7c1e-7b6a-9d55-000000000002"),
  endpoint_id: Id.WebhookEndpointId.id.make("0198a3f0-7c1e-7b6a-9d55-000000000003"),
  event: "asset.created",
  tail: "",
  url: "https://a.example/",
  secret: "",
  attempt: 1,
  manual: false,
  paced: false,
  lease: "lease",
  lease_until,
})

const HOUR = 3_600_000

/** What is taken of a delivery that is born, by the storage's clock, at once after its lease was given. */
const handedOver = (storage: number, process: number) => {
  const taken: Array<Lease.Held> = []
  const receiver = Lease.receiver({
    timeout_ms: 10_000,
    now: () => process,
    isOpen: () => true,
    recalls: () => 0,
    take: (jobs) => taken.push(...jobs),
    wake: () => {},
    recall: () => {},
  })
  const lease = receiver.lease(storage)
  receiver.offer([job(lease?.lease_until ?? 0)])
  return { lease, taken }
}

describe("a lease", () => {
  it("lasts for one attempt and half a minute more", () =>
    assert.strictEqual(handedOver(HOUR, HOUR).lease?.lease_until, HOUR + 40_000))
  it("leaves time to write the result of an attempt that begins late and takes its whole time", () => {
    const { lease, taken } = handedOver(HOUR, HOUR)
    assert.strictEqual((taken[0]?.start_before ?? 0) + 10_000 + 5_000, lease?.lease_until)
  })
  for (const [sentence, storage] of [
    ["ahead", 2 * HOUR],
    ["behind", 0],
  ] as const) {
    it(`leaves the same time where the storage's clock is an hour ${sentence}`, () =>
      assert.strictEqual(handedOver(storage, HOUR).taken[0]?.start_before, HOUR + 25_000))
  }
  it("is given to nobody while there is no room", () => {
    const receiver = Lease.receiver({
      timeout_ms: 0,
      now: () => 0,
      isOpen: () => false,
      recalls: () => 0,
      take: () => {},
      wake: () => {},
      recall: () => {},
    })
    assert.isNull(receiver.lease(0))
  })
})
