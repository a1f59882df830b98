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
  readonly saturated: ReadonlyArray<string>
}

type Named = readonly [name: string, delivery: Delivery]

const to = (endpoint: string, of: ReadonlyArray<Named>) => of.filter(([, it]) => it.endpoint === endpoint)
const isFirst = ([, { attempts }]: Named) => attempts === 0

/** What is wrong with a choice; nothing when it is a legal one. */
export const objections = (
  model: Model,
  { limit, per_endpoint, saturated }: Limits,
  now: number,
  { taken, canceled, more }: Choice,
): ReadonlyArray<string> => {
  const due = [...model.deliveries].filter(([, it]) => takeable(it) <= now && !saturated.includes(it.endpoint))
  const claimable = due.filter(([, { endpoint }]) => isActive(model, endpoint))
  const [got, left] = [true, false].map((is) => claimable.filter(([name]) => taken.includes(name) === is))
  const mayCancel = new Set(due.filter((one) => !claimable.includes(one)).map(([name]) => name))
  const [firsts, retries] = [got!.filter(isFirst), got!.filter((one) => !isFirst(one))]
  /** What was left though its endpoint may have had it. */
  const passed = left!.filter(([, it]) => to(it.endpoint, got!).length < per_endpoint)
  const rules: ReadonlyArray<readonly [string, boolean]> = [
    ["one twice", new Set(taken).size < taken.length],
    ["more than was asked for", taken.length > limit],
    ["one that may not be taken", got!.length < taken.length],
    ["one canceled that may not be", canceled.some((name) => !mayCancel.has(name))],
    ["an endpoint over its cap", got!.some(([, it]) => to(it.endpoint, got!).length > per_endpoint)],
    ["one left behind though there was room", !more && passed.length > 0 && taken.length + canceled.length < limit],
    [
      "a younger one before an older one of its endpoint",
      left!.some((one) =>
        to(one[1].endpoint, isFirst(one) ? firsts : retries).some(([, it]) => takeable(it) > takeable(one[1])),
      ),
    ],
    ["too many retries before a first attempt", passed.some(isFirst) && retries.length > limit / 2],
    // Within one endpoint first attempts come first.
    [
      "no share for retries",
      limit >= 4 &&
        retries.length === 0 &&
        passed.some((one) => !isFirst(one) && to(one[1].endpoint, claimable).filter(isFirst).length < per_endpoint),
    ],
    [
      "two to one endpoint before the first to another",
      passed.some((one) => {
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
  const due = to(endpoint, [...model.deliveries]).filter(([, it]) => takeable(it) <= now && isActive(model, endpoint))
  const asked = due.filter(([, it]) => it.asked)
  const again = due.filter((one) => !isFirst(one)).slice(0, 1)
  const first = Math.min(...due.map(([, it]) => takeable(it)))
  const best = again.length > 0 ? again : due.filter(([, it]) => takeable(it) === first)
  return (asked.length > 0 ? asked : ready ? best : []).map(([name]) => name)
}

/** When the next delivery of all falls due but for those that have been taken. */
export const nextDue = (model: Model, now: number, taken: ReadonlyArray<string> = []): number | null => {
  const others = [...model.deliveries].filter(([name]) => !taken.includes(name)).map(([, it]) => takeable(it))
  const next = Math.min(...others.filter((at) => at > now))
  return next === Infinity ? null : next
}
