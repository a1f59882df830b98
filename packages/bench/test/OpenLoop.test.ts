import { assert, describe, it } from "@effect/vitest"
import * as Arrivals from "../src/Arrivals.ts"
import * as Clock from "../src/Clock.ts"
import * as OpenLoop from "../src/OpenLoop.ts"

const arrivals = { events: 40, per_second: 400, seed: 1 }
const options = { arrivals, first: 100, backlog_max: 1_000 }

describe("arrivals", () => {
  it("are the same for the same seed, and others for another", () => {
    assert.deepStrictEqual(Arrivals.times(arrivals), Arrivals.times(arrivals))
    assert.notDeepEqual(Arrivals.times(arrivals), Arrivals.times({ ...arrivals, seed: 2 }))
  })

  it("come in order at the rate asked for", () => {
    const times = Arrivals.times({ events: 10_000, per_second: 500, seed: 3 })
    assert.deepStrictEqual(times, times.toSorted())
    assert.approximately(times.at(-1)!, 20_000, 1_000)
  })

  it("come all at once where no rate is given", () => {
    assert.deepStrictEqual([...Arrivals.times({ events: 3, per_second: null, seed: 1 })], [0, 0, 0])
  })
})

const refuse = async (n: number) => (n === 107 ? Promise.reject(new Error("no")) : undefined)

describe("the open loop", () => {
  it("sends every event though none is answered", async () => {
    const sent = new Array<number>()
    const { promise: answer, resolve: answerAll } = Promise.withResolvers<void>()
    const running = OpenLoop.run({
      ...options,
      accept: (n) => {
        sent.push(n)
        if (sent.length === arrivals.events) answerAll()
        return answer
      },
    })
    await running
    assert.deepStrictEqual(
      sent,
      Array.from({ length: 40 }, (_, n) => 100 + n),
    )
  })

  it("counts from the scheduled time though the process stood still", async () => {
    const stall = 200
    const offered = await OpenLoop.run({
      ...options,
      accept: async (n) => {
        const until = n === 100 ? Clock.now() + stall : 0
        while (Clock.now() < until);
      },
    })
    const waited = Array.from(offered.accepted, (time, n) => time - (offered.scheduled[n] ?? Number.NaN))
    const due = Arrivals.times(arrivals).filter((time) => time < stall / 2).length
    assert.isAbove(due, 10)
    for (const latency of waited.slice(0, due)) assert.isAtLeast(latency, stall / 2)
  })

  it("leaves out what was refused", async () => {
    const { accepted, stopped } = await OpenLoop.run({ ...options, accept: refuse })
    assert.isNaN(accepted[7])
    assert.strictEqual(accepted.filter((time) => Number.isNaN(time)).length, 1)
    assert.isNull(stopped)
  })

  it("stops where more is open than the backlog may be", async () => {
    const { promise: answer, resolve } = Promise.withResolvers<void>()
    let sent = 0
    const accept = () => {
      sent += 1
      if (sent === 11) resolve()
      return answer
    }
    const { stopped } = await OpenLoop.run({ ...options, backlog_max: 10, accept })
    assert.strictEqual(sent, 11)
    assert.strictEqual(stopped, "more than 10 events were under way")
  })

  it("stops where too much of what was accepted is not delivered", async () => {
    let sent = 0
    const accept = async () => {
      sent += 1
    }
    const { stopped } = await OpenLoop.run({ ...options, backlog_max: 10, accept, delivered: () => 3 })
    assert.strictEqual(sent, 14)
    assert.isNotNull(stopped)
  })
})
