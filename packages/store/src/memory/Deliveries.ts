/** Deliveries in memory. */
import { type Delivery, Errors, type Id, Value } from "@tc/domain"
import { Effect, Layer, Result, Struct } from "effect"
import * as Service from "../Deliveries.ts"
import * as Refusals from "../Refusals.ts"
import { claim, gateOf } from "./Claiming.ts"
import { activeEndpoint, canceled, dueAt } from "./Leasing.ts"
import { sentWith } from "./FormerSettings.ts"
import { type DeliveryRow, Memory } from "./Memory.ts"
import { probe } from "./Probing.ts"
import * as Query from "./Query.ts"
import { held, settle } from "./Settling.ts"

const detail = (row: DeliveryRow): Delivery.DeliveryDetail => Struct.omit(row, ["lease", "manual", "asked", "marks"])
const show = (row: DeliveryRow): Delivery.Delivery =>
  Struct.omit(row, ["lease", "manual", "asked", "marks", "attempts"])

const due = (delivery: DeliveryRow, due_at: string, now: string): DeliveryRow => ({
  ...delivery,
  status: "pending",
  due_at,
  lease: null,
  lease_until: null,
  updated_at: now,
})

const find = (memory: Memory["Service"], account_id: Id.AccountId, id: Id.DeliveryId) =>
  Result.fromNullishOr(memory.deliveries(account_id).get(id), () => Errors.notFound("delivery", id))

const retry = (memory: Memory["Service"], delivery: DeliveryRow, now: string) => {
  if (delivery.status === "delivering") return Result.fail(Refusals.deliveryInProgress())
  if (activeEndpoint(memory, delivery) === undefined) return Result.fail(Refusals.endpointNotActive())
  const row = {
    ...due(delivery, now, now),
    asked: true,
    manual: delivery.manual || delivery.status !== "pending",
  }
  memory.keep(row)
  memory.afterwards(memory.handoff.wake)
  return Result.succeed(show(row))
}

const release = (memory: Memory["Service"], jobs: ReadonlyArray<Service.Released>, millis: number): void => {
  const now = Value.timestamp(millis)
  for (const { due_at, ...job } of jobs) {
    const delivery = held(memory, job)
    if (delivery === undefined) continue
    const isActive = activeEndpoint(memory, delivery) !== undefined
    memory.keep(isActive ? due(delivery, Value.timestamp(due_at ?? millis), now) : canceled(delivery, now))
  }
}

const stats = (memory: Memory["Service"], now: string): Service.Stats => {
  const free = [...memory.open.values()].filter((delivery) => gateOf(memory, delivery) === undefined)
  const times = free.map(dueAt).filter((at) => at <= now)
  const oldest = times.toSorted()[0]
  const late = Value.timestamp(Date.parse(now) - Service.OVERDUE_MS)
  return {
    due: Math.min(times.length, Service.COUNTED_MAX),
    overdue: Math.min(times.filter((at) => at < late).length, Service.COUNTED_MAX),
    oldest_due_at: oldest === undefined ? null : Date.parse(oldest),
  }
}

export const layer = Layer.effect(
  Service.Deliveries,
  Effect.map(Memory, (memory) =>
    Service.Deliveries.of({
      claim: (request) => memory.step((millis) => Result.succeed(claim(memory, request, millis))),
      settle: (settlements, streak) =>
        memory.step((millis) => Result.succeed(settlements.map((one) => settle(memory, one, streak, millis)))),
      probe: (request) => memory.step((millis) => Result.succeed(probe(memory, request, millis))),
      release: (jobs) => memory.step((millis) => Result.succeed(release(memory, jobs, millis))),
      list: (account_id, request) =>
        memory.step(() => {
          const { endpoint_id, status, event } = request
          const { from = "", before } = Service.idsIn(request)
          const isIn = ({ id }: DeliveryRow) => id >= from && (before === undefined || id < before)
          const found = [...memory.deliveries(account_id).values()]
            .filter(isIn)
            .filter(Query.matches({ endpoint_id, status, event }))
          return Result.succeed(Query.page(request, found.toSorted(Query.latestFirst).map(show)))
        }),
      get: (account_id, id) => memory.step(() => Result.map(find(memory, account_id, id), detail)),
      sentWith: (account_id, id) =>
        memory.step(() => Result.map(find(memory, account_id, id), (row) => sentWith(memory, row))),
      retry: (account_id, id) =>
        memory.step((millis) =>
          Result.flatMap(find(memory, account_id, id), (row) => retry(memory, row, Value.timestamp(millis))),
        ),
      stats: memory.step((millis) => Result.succeed(stats(memory, Value.timestamp(millis)))),
    }),
  ),
)
