/** Tallies in memory. */
import { type Id, Tally, Trouble, WebhookEndpoint } from "@tc/domain"
import { Effect, Layer, Result } from "effect"
import * as Service from "../Tallies.ts"
import { type HourRow, keyOf, Memory } from "./Memory.ts"

const { beginningOf, HOUR_MS, MINUTE_MS } = Service

type Tables = Pick<Memory["Service"], "minutes" | "hours">

const addOne = ({ minutes, hours }: Tables, counted: Service.Counted): void => {
  const { account_id, endpoint_id, minute, latest_at } = counted
  const ofMinute = keyOf(account_id, `${minute}`)
  minutes.set(ofMinute, { at: minute, ...Tally.add(minutes.get(ofMinute) ?? Tally.none, counted) })
  const at = beginningOf(minute, HOUR_MS)
  const ofHour = keyOf(account_id, keyOf(endpoint_id, `${at}`))
  const row = hours.get(ofHour)
  hours.set(ofHour, {
    account_id,
    endpoint_id,
    at,
    latest_at: Math.max(row?.latest_at ?? latest_at, latest_at),
    ...Tally.addOutcomes(row ?? Tally.noOutcomes, counted),
  })
}

const stepsOf = ({ minutes }: Tables, account_id: Id.AccountId, { from, until, step_ms }: Service.StepsRequest) => {
  const steps = new Map<number, Service.Step>()
  for (let minute = beginningOf(from + MINUTE_MS - 1, MINUTE_MS); minute < until; minute += MINUTE_MS) {
    const row = minutes.get(keyOf(account_id, `${minute}`))
    if (row === undefined) continue
    const at = beginningOf(minute, step_ms)
    steps.set(at, { ...Tally.add(steps.get(at) ?? Tally.none, row), at })
  }
  return [...steps.values()]
}

/** How each endpoint of an account has done, of which anything is known. */
const activities = ({ hours }: Tables, account_id: Id.AccountId, since: number) => {
  const rows = [...hours.values()].filter((row) => row.account_id === account_id)
  const activityOf = (its: ReadonlyArray<HourRow>): Service.Activity => ({
    outcomes: its.filter(({ at }) => at >= beginningOf(since, HOUR_MS)).reduce(Tally.addOutcomes, Tally.noOutcomes),
    latest_at: Math.max(...its.map(({ latest_at }) => latest_at)),
  })
  const byEndpoint = Map.groupBy(rows, ({ endpoint_id }) => endpoint_id)
  return new Map([...byEndpoint].map(([id, its]) => [id, activityOf(its)]))
}

const nothing: Service.Activity = { outcomes: Tally.noOutcomes, latest_at: null }

export const layer = Layer.effect(
  Service.Tallies,
  Effect.map(Memory, (memory) => {
    const { records, step } = memory
    return Service.Tallies.of({
      add: (counted) =>
        step(() => {
          for (const one of counted) addOne(memory, one)
          return Result.void
        }),
      steps: (account_id, request) => step(() => Result.succeed(stepsOf(memory, account_id, request))),
      ofEndpoints: (account_id, ids, since) =>
        step(() => {
          const wanted = new Set(ids)
          const all = [...activities(memory, account_id, since)].filter(([id]) => wanted.has(id))
          return Result.succeed(all.map(([endpoint_id, activity]) => ({ endpoint_id, ...activity })))
        }),
      troubled: (account_id, { since, limit }) =>
        step(() => {
          const known = activities(memory, account_id, since)
          const endpoints = [...records(WebhookEndpoint.resource, account_id).values()]
          const all = endpoints.map((endpoint) => ({ endpoint, ...(known.get(endpoint.id) ?? nothing) }))
          const troubled = all.filter((one) => Trouble.reasonOf(one) !== null)
          return Result.succeed(troubled.toSorted(Trouble.byWorst).slice(0, limit))
        }),
      prune: (before) =>
        step(() => {
          for (const table of [memory.minutes, memory.hours])
            for (const [key, { at }] of table) if (at < beginningOf(before, HOUR_MS)) table.delete(key)
          return Result.void
        }),
    })
  }),
)
