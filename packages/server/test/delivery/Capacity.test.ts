/** How much a process takes on, and of what. */
import { assert, describe, it } from "@effect/vitest"
import { Id } from "@tc/domain"
import { Effect } from "effect"
import { Capacity } from "../../src/Capacity.ts"
import { defaults } from "../../src/DeliverySettings.ts"
import * as Lease from "../../src/Lease.ts"

const settler = { add: () => {}, pending: () => 0, failing: () => false, drained: Effect.void }

const retry = (endpoint: number): Lease.Held =>
  Lease.holding(
    0,
    0,
  )({
    account_id: Id.AccountId.id.make("0198a3f0-7c1e-7b6a-9d55-000000000001"),
    id: Id.DeliveryId.id.make(crypto.randomUUID()),
    endpoint_id: Id.WebhookEndpointId.id.make(`0198a3f0-7c1e-7b6a-9d55-${String(endpoint).padStart(12, "0")}`),
    event: "asset.created",
    tail: "{}",
    url: "https://a.example/",
    secret: "",
    attempt: 2,
    manual: false,
    paced: false,
    lease: "lease",
    lease_until: 60_000,
  })

describe("a process", () => {
  it("that holds all the retries it may claim still takes what is born in it", () => {
    const capacity = new Capacity({ ...defaults, concurrency: 64 }, settler)
    let held = 0
    while (capacity.hasRoomToClaim && capacity.lanes.add(retry(held % 50))) held += 1
    assert.isFalse(capacity.hasRoomToClaim)
    assert.isTrue(capacity.hasRoomToBear)
  })

  it("that was full does not claim again for each place that falls free", () => {
    const capacity = new Capacity({ ...defaults, concurrency: 64 }, settler)
    for (let held = 0; capacity.hasRoomToClaim; held += 1) capacity.lanes.add(retry(held % 50))
    const free = () => {
      const job = capacity.lanes.take()
      if (job !== undefined) capacity.lanes.done(job, true)
    }
    free()
    assert.deepStrictEqual([capacity.hasRoomToClaim, capacity.hasRoomAgain], [true, false])
    for (let places = 0; places < 200; places += 1) free()
    assert.isTrue(capacity.hasRoomAgain)
  })

  it("takes neither once it is closed", () => {
    const capacity = new Capacity(defaults, settler)
    capacity.closed = true
    assert.deepStrictEqual([capacity.hasRoomToClaim, capacity.hasRoomToBear], [false, false])
  })
})
