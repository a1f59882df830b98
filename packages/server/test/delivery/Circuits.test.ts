import { assert, describe, it } from "@effect/vitest"
import { Id } from "@tc/domain"
import { Schema } from "effect"
import { Circuits, lifecycle, type Limits, type State } from "../../src/Circuits.ts"
import * as Lane from "../../src/Lane.ts"

const limits: Limits = { after: 3, pause_ms: 5_000, pause_max_ms: 60_000, jitter: 0, probe_ms: 40_000 }
const make = (some: Partial<Limits> = {}, random = () => 0) => new Circuits({ ...limits, ...some }, random)

const uuid = (nth: number) => `0198a3f0-7c1e-7b6a-9d55-${String(nth).padStart(12, "0")}`
const endpointOf = (nth: number, account = 1) => ({
  account_id: Id.AccountId.id.make(uuid(account)),
  endpoint_id: Id.WebhookEndpointId.id.make(uuid(nth)),
})
const A = endpointOf(1)
const a = Lane.nameOf(A)

const silent = (circuits: Circuits, id: string, now = 0, endpoint = A) => circuits.ended(endpoint, id, false, now)
const answered = (circuits: Circuits, id: string, now = 0) => circuits.ended(A, id, true, now)

/** The state of the one circuit there is; where there is none it is closed. */
const stateOf = ({ counts }: Circuits): State =>
  (["open", "half_open", "probing"] as const).find((state) => counts[state] > 0) ?? "closed"

/** A circuit that opened at 0. */
const opened = (some: Partial<Limits> = {}, random = () => 0) => {
  const circuits = make(some, random)
  for (let nth = 0; nth < limits.after; nth++) silent(circuits, `first ${nth}`)
  return circuits
}

/** A circuit in a state at 5,000, when its first pause is over. */
const into: Record<State, () => Circuits> = {
  closed: () => make(),
  open: opened,
  half_open: () => {
    const circuits = opened()
    circuits.rest(a, 5_000)
    return circuits
  },
  probing: () => {
    const circuits = opened()
    circuits.begin(a, "probe", 5_000)
    return circuits
  },
}

/** What can happen to it, in each way that it can. */
const happenings: Record<string, (circuits: Circuits) => unknown> = {
  answered: (circuits) => answered(circuits, "other", 5_000),
  silent: (circuits) => silent(circuits, "other", 5_000),
  rested: (circuits) => circuits.rest(a, 5_000),
  probed: (circuits) => circuits.begin(a, "another", 5_000),
  failed: (circuits) => silent(circuits, "probe", 5_000),
}

describe("a circuit, in each state,", () => {
  for (const [state, prepare] of Object.entries(into)) {
    for (const [happening, happen] of Object.entries(happenings)) {
      // Only a circuit that is probing has a probe: anything else that gets no answer is one silence more.
      const what = happening === "failed" && state !== "probing" ? "silent" : happening
      it(`${state}: goes on as its table says when it ${happening}`, () => {
        const circuits = prepare()
        assert.strictEqual(stateOf(circuits), state)
        happen(circuits)
        assert.strictEqual(stateOf(circuits), (lifecycle as Record<string, Record<string, State>>)[state]?.[what])
      })
    }
  }
})

describe("a closed circuit", () => {
  it("opens after so many attempts without an answer in a row, and says so once", () => {
    const circuits = make()
    assert.deepStrictEqual(
      ["1", "2", "3", "4"].map((id) => silent(circuits, id)),
      [undefined, undefined, "opened", undefined],
    )
  })
  it("stays closed when one of them was answered", () => {
    const circuits = make()
    for (const id of ["1", "2"]) silent(circuits, id)
    answered(circuits, "3")
    for (const id of ["4", "5"]) silent(circuits, id)
    assert.deepStrictEqual([stateOf(circuits), circuits.hold(a, "6", 0)], ["closed", null])
  })
  it("is forgotten when its endpoint answers", () => {
    const circuits = make()
    silent(circuits, "1")
    assert.strictEqual(circuits.counts.closed, 1)
    assert.isUndefined(answered(circuits, "2"))
    assert.strictEqual(circuits.counts.closed, 0)
  })
  it("is that of one endpoint, also where another account has one of the same id", () => {
    const circuits = opened()
    const other = endpointOf(1, 2)
    assert.isNull(circuits.hold(Lane.nameOf(other), "theirs", 0))
    assert.deepStrictEqual(circuits.list(0), [{ ...A, ready: false }])
  })
})

describe("an open circuit", () => {
  it("holds everything until its pause is over, and is named to claims all the while", () => {
    const circuits = opened()
    assert.deepStrictEqual([circuits.hold(a, "1", 0), circuits.hold(a, "2", 4_999)], [5_000, 5_000])
    assert.deepStrictEqual(circuits.list(4_999), [{ ...A, ready: false }])
    assert.strictEqual(circuits.next_at, 5_000)
    assert.deepStrictEqual(circuits.list(5_000), [{ ...A, ready: true }])
  })
  it("is open for no longer when attempts end that began before", () => {
    const circuits = opened()
    for (let late = 0; late < 10; late++) silent(circuits, `late ${late}`, 4_000)
    assert.strictEqual(circuits.next_at, 5_000)
  })
  it("is ready at once when the clock was set back by more than any pause", () => {
    const circuits = opened()
    assert.deepStrictEqual(circuits.list(-54_999), [{ ...A, ready: false }])
    assert.deepStrictEqual(circuits.list(-3_600_000), [{ ...A, ready: true }])
    assert.isNull(circuits.hold(a, "1", -3_600_000))
  })
  it("closes when any attempt is answered, and says so", () => {
    const circuits = opened()
    assert.strictEqual(answered(circuits, "late"), "closed")
    assert.deepStrictEqual([circuits.list(0), circuits.hold(a, "1", 0)], [[], null])
  })
  it("lets what comes after its pause through as its probe, and nothing else", () => {
    const circuits = opened()
    assert.deepStrictEqual(
      ["1", "2", "3"].map((id) => circuits.hold(a, id, 6_000)),
      [null, 11_000, 11_000],
    )
  })
})

describe("a probe", () => {
  it("that gets no answer opens the circuit for twice as long, again and again, up to the longest pause", () => {
    const circuits = opened()
    const pauses = [1, 2, 3, 4, 5, 6].map((nth) => {
      const at = circuits.next_at
      circuits.begin(a, `probe ${nth}`, at)
      assert.isUndefined(silent(circuits, `probe ${nth}`, at))
      return circuits.next_at - at
    })
    assert.deepStrictEqual(pauses, [10_000, 20_000, 40_000, 60_000, 60_000, 60_000])
  })
  it("that is answered closes the circuit, which then begins anew", () => {
    const circuits = opened()
    circuits.begin(a, "1", 5_000)
    silent(circuits, "1", 5_000)
    circuits.begin(a, "2", 15_000)
    assert.strictEqual(answered(circuits, "2", 15_000), "closed")
    for (const id of ["3", "4"]) assert.isUndefined(silent(circuits, id, 20_000))
    assert.strictEqual(silent(circuits, "5", 20_000), "opened")
    assert.strictEqual(circuits.next_at, 25_000)
  })
  it("comes a little sooner by chance, and never later", () => {
    assert.strictEqual(opened({ jitter: 0.1 }, () => 1).next_at, 4_500)
    assert.strictEqual(opened({ jitter: 0.1 }, () => 0).next_at, 5_000)
  })
  it("that is lost is replaced after a while, and what becomes of it then is no news", () => {
    const circuits = opened()
    circuits.begin(a, "lost", 5_000)
    assert.deepStrictEqual(circuits.list(44_999), [{ ...A, ready: false }])
    assert.deepStrictEqual(circuits.list(45_000), [{ ...A, ready: true }])
    circuits.begin(a, "next", 45_000)
    silent(circuits, "lost", 46_000)
    assert.strictEqual(stateOf(circuits), "probing")
    silent(circuits, "next", 47_000)
    assert.strictEqual(circuits.next_at, 57_000)
  })
  it("for which there is no delivery is the next delivery that comes", () => {
    const circuits = into.half_open()
    assert.deepStrictEqual([circuits.list(5_000), circuits.next_at], [[], Infinity])
    assert.deepStrictEqual(
      ["1", "2"].map((id) => circuits.hold(a, id, 9_000)),
      [null, 14_000],
    )
    silent(circuits, "1", 9_000)
    assert.strictEqual(circuits.next_at, 19_000)
  })
})

describe("circuits", () => {
  it("forget an endpoint when they are told to", () => {
    const circuits = opened()
    circuits.remove(a)
    assert.deepStrictEqual([circuits.list(0), circuits.hold(a, "1", 0)], [[], null])
  })
  it("forget an endpoint for which nothing has come within an hour of its pause", () => {
    const circuits = into.half_open()
    silent(circuits, "other", 5_000 + 3_599_999, endpointOf(2))
    assert.strictEqual(circuits.counts.half_open, 1)
    silent(circuits, "other", 5_000 + 3_600_000, endpointOf(2))
    assert.strictEqual(circuits.counts.half_open, 0)
  })
  it("keep ten thousand at most, those that changed last, and name a thousand at a time, those first that opened first", () => {
    const circuits = make({ after: 1 })
    for (let nth = 0; nth < 10_001; nth++) silent(circuits, "1", 0, endpointOf(nth))
    assert.strictEqual(circuits.counts.open, 10_000)
    assert.isNull(circuits.hold(Lane.nameOf(endpointOf(0)), "2", 0))
    const named = circuits.list(0)
    assert.deepStrictEqual([named.length, named[0]], [1_000, { ...endpointOf(1), ready: false }])
  })
})

/** A history of one endpoint: deliveries come, attempts end with or without an answer, time passes, probes are looked for. */
const History = Schema.Array(
  Schema.Struct({
    what: Schema.Literals(["come", "come", "silent", "silent", "answered", "pass", "pass", "probe"]),
    millis: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20_000 })),
  }),
)

describe("a circuit, whatever happens,", () => {
  it.prop("lets one delivery through at a time while it is not closed", [History], ([history]) => {
    const circuits = make({ jitter: 0.5 }, () => 0.5)
    /** Deliveries under way, and when they began. */
    const under_way = new Map<string, number>()
    let probe: { readonly id: string; readonly at: number } | undefined
    let now = 0
    for (const [nth, { what, millis }] of history.entries()) {
      const before = stateOf(circuits)
      const [oldest] = under_way.keys()
      if (what === "pass") now += millis
      else if (what === "come") {
        const due_at = circuits.hold(a, String(nth), now)
        if (due_at === null) {
          under_way.set(String(nth), now)
          if (before !== "closed") {
            assert.isTrue(probe === undefined || !under_way.has(probe.id) || now >= probe.at + limits.probe_ms)
            probe = { id: String(nth), at: now }
          }
        } else assert.isTrue(due_at > now && due_at <= now + limits.pause_max_ms)
      } else if (what === "probe") {
        for (const { ready } of circuits.list(now)) if (ready) circuits.rest(a, now)
      } else if (oldest !== undefined) {
        under_way.delete(oldest)
        circuits.ended(A, oldest, what === "answered", now)
        if (what === "answered") assert.strictEqual(stateOf(circuits), "closed")
      }
      if (stateOf(circuits) === "closed") probe = undefined
      if (circuits.list(now).length > 0) assert.isAtMost(circuits.next_at, now + limits.pause_max_ms)
    }
  })
})
