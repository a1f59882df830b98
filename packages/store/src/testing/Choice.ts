/** What a claim may choose, by the model: pure, like it. */
import type { ClaimRequest } from "../Deliveries.ts"
import { type Delivery, isActive, type Model, takeable } from "./Model.ts"

/** What a storage chose. All by name. */
export interface Choice {
  readonly taken: ReadonlyArray<string>
  /** Those that it canceled instead. */
  readonly canceled: ReadonlyArray<string>
  /** Whether it did not look at all that is due. */
  readonly more: boolean
}

export interface Limits extends Pick<ClaimRequest, "limit" | "per_endpoint"> {
  readonly quick: ReadonlyArray<string>
  readonly saturated: ReadonlyArray<string>
}

type Named = readonly [name: string, delivery: Delivery]

const to = (endpoint: string, of: ReadonlyArray<Named>) => of.filter(([, it]) => it.endpoint === endpoint)
const isFirst = ([, { attempts }]: Named) => attempts === 0

/**
 * Whether it is the turn of a delivery: in order, of one that is under lease, or else of the one that went last until it has
 * ended, then of the oldest.
 */
export const hasTurn = (model: Model, name: string): boolean => {
  const { endpoint } = model.deliveries.get(name)!
  if (model.endpoints.get(endpoint)?.ordered !== true) return true
  const open = [...model.deliveries].filter(([, it]) => it.endpoint === endpoint && takeable(it) < Infinity)
  const leased = open.find(([, { status }]) => status === "delivering")
  return name === (leased ?? open.find(([one]) => one === model.latest.get(endpoint)) ?? open[0])?.[0]
}

/** What is wrong with a choice; nothing when it is a legal one. */
export const objections = (
  model: Model,
  { limit, per_endpoint, quick, saturated }: Limits,
  now: number,
  { taken, canceled, more }: Choice,
): ReadonlyArray<string> => {
  const capOf = (endpoint: string) => (quick.includes(endpoint) ? limit : per_endpoint)
  const due = [...model.deliveries].filter(([, it]) => takeable(it) <= now && !saturated.includes(it.endpoint))
  const claimable = due.filter(([name, { endpoint }]) => isActive(model, endpoint) && hasTurn(model, name))
  const [got, left] = [true, false].map((is) => claimable.filter(([name]) => taken.includes(name) === is))
  const stale = due.filter(([, { endpoint }]) => !isActive(model, endpoint))
  const [gone, stayed] = [true, false].map((is) => stale.filter(([name]) => canceled.includes(name) === is))
  const kept = stayed!.filter(([, it]) => to(it.endpoint, gone!).length < capOf(it.endpoint))
  /** Those in order go by themselves: between them and the others no share is promised. */
  const free = (of: ReadonlyArray<Named>) => of.filter(([, it]) => model.endpoints.get(it.endpoint)?.ordered !== true)
  const [firsts, retries] = [free(got!).filter(isFirst), free(got!).filter((one) => !isFirst(one))]
  /** What was left though its endpoint may have had it. */
  const passed = left!.filter(([, it]) => to(it.endpoint, got!).length < capOf(it.endpoint))
  const behind = free(passed)
  /** Where not all was looked at, what an endpoint got may be what fell due first, of whichever kind. */
  const isHidden = ([, one]: Named) => more && to(one.endpoint, retries).some(([, it]) => takeable(it) <= takeable(one))
  const hasRoom = !more && taken.length + canceled.length < limit
  const rules: ReadonlyArray<readonly [string, boolean]> = [
    ["one twice", new Set(taken).size < taken.length],
    ["more than was asked for", taken.length > limit],
    ["one that may not be taken", got!.length < taken.length],
    ["one canceled that may not be", gone!.length < canceled.length],
    ["an endpoint over its cap", got!.some(([, it]) => to(it.endpoint, got!).length > capOf(it.endpoint))],
    ["one left behind though there was room", hasRoom && passed.length > 0],
    ["one left under lease whose endpoint has ended", hasRoom && kept.length > 0],
    [
      "a younger one before an older one of its endpoint",
      left!.some((one) =>
        to(one[1].endpoint, isFirst(one) ? firsts : retries).some(([, it]) => takeable(it) > takeable(one[1])),
      ),
    ],
    [
      "too many retries before a first attempt",
      behind.some((one) => isFirst(one) && !isHidden(one)) && retries.length > limit / 2,
    ],
    // Within one endpoint first attempts come first.
    [
      "no share for retries",
      limit - got!.length + firsts.length >= 4 &&
        retries.length === 0 &&
        behind.some(
          (one) => !isFirst(one) && to(one[1].endpoint, claimable).filter(isFirst).length < capOf(one[1].endpoint),
        ),
    ],
    [
      "two to one endpoint before the first to another",
      behind.some((one) => {
        const lane = to(one[1].endpoint, claimable)
        const its = isFirst(one) ? firsts : retries
        const heads = lane.some(isFirst) === isFirst(one) && to(one[1].endpoint, got!).length === 0
        return heads && its.some(([, it]) => to(it.endpoint, its).length > 1)
      }),
    ],
  ]
  return rules.filter(([, broken]) => broken).map(([rule]) => rule)
}

/** What a probe may get of an endpoint: one of these, and if there is any, one. */
export const probed = (model: Model, endpoint: string, ready: boolean, now: number): ReadonlyArray<string> => {
  const due = to(endpoint, [...model.deliveries]).filter(
    ([name, it]) => takeable(it) <= now && isActive(model, endpoint) && hasTurn(model, name),
  )
  const asked = due.filter(([, it]) => it.asked)
  const again = due.filter((one) => !isFirst(one)).slice(0, 1)
  const first = Math.min(...due.map(([, it]) => takeable(it)))
  const best = again.length > 0 ? again : due.filter(([, it]) => takeable(it) === first)
  return (asked.length > 0 ? asked : ready ? best : []).map(([name]) => name)
}

const soonest = (times: ReadonlyArray<number>, now: number): number | null => {
  const next = Math.min(...times.filter((at) => at > now))
  return next === Infinity ? null : next
}

/** When the next delivery of all falls due. */
export const nextDue = (model: Model, now: number): number | null =>
  soonest(
    [...model.deliveries].flatMap(([name, it]) => (hasTurn(model, name) ? [takeable(it)] : [])),
    now,
  )

/** What a claim got, and when it says that the next falls due. */
interface Said {
  readonly taken: ReadonlyArray<string>
  readonly saturated: ReadonlyArray<string>
  readonly limit: number
  readonly until: number
  readonly said: number | null
  /** Whether it is the end, before another time, of a lease that was given: what was under it may have ended long since. */
  readonly isEnd: (before: number | null) => boolean
}

/**
 * Whether a claim says rightly when the next falls due of all that it did not get. What waits behind a delivery in order may
 * come when that ends, which nobody knows; so where one of those was got, or all that was asked for, the next in order may be
 * left to the next claim, or be looked for when the lease ends. Whoever holds enough of an endpoint in order is not told of it.
 */
export const isNext = (model: Model, now: number, { taken, saturated, limit, until, said, isEnd }: Said): boolean => {
  const isOrdered = (endpoint: string) => model.endpoints.get(endpoint)?.ordered === true
  const isSpared = ({ endpoint }: Delivery) => saturated.includes(endpoint) && isOrdered(endpoint)
  const others = [...model.deliveries].filter(
    ([name, it]) => !taken.includes(name) && hasTurn(model, name) && !isSpared(it),
  )
  const times = others.map(([, it]) => takeable(it))
  const free = others.flatMap(([, it]) => (isOrdered(it.endpoint) ? [] : [takeable(it)]))
  // Where an endpoint has ended, the end of a lease brings nothing but a cancelation.
  const alive = others.flatMap(([, it]) => (isActive(model, it.endpoint) ? [takeable(it)] : []))
  const isFull = taken.length >= limit && others.some(([, it]) => isOrdered(it.endpoint))
  const isOpen = isFull || taken.some((name) => isOrdered(model.deliveries.get(name)?.endpoint ?? ""))
  const next = soonest(alive, now)
  if (said === soonest(times, now) || said === next || isEnd(next)) return true
  return isOpen && (isEnd(null) || [null, until, soonest(free, now), ...times].includes(said))
}
