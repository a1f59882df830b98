/** Deliveries in memory. */
import { type Delivery, Errors, type Id, Value } from "@tc/domain"
import { Effect, Layer, Result, Struct } from "effect"
import * as Service from "../Deliveries.ts"
import * as Refusals from "../Refusals.ts"
import { claim, dueAt } from "./Claiming.ts"
import { activeEndpoint, canceled } from "./Leasing.ts"
import { type DeliveryRow, Memory } from "./Memory.ts"
import * as Query from "./Query.ts"
import { held, settle } from "./Settling.ts"

const detail = (row: DeliveryRow): Delivery.DeliveryDetail => Struct.omit(row, ["lease", "manual"])
const show = (row: DeliveryRow): Delivery.Delivery => Struct.omit(row, ["lease", "manual", "attempts"])

const due = (delivery: DeliveryRow, now: string): DeliveryRow => ({
  ...delivery,
  status: "pending",
  due_at: now,
  lease: null,
  lease_until: null,
  updated_at: now,
})

const find = (memory: Memory["Service"], account_id: Id.AccountId, id: Id.DeliveryId) =>
  Result.fromNullishOr(memory.deliveries(account_id).get(id), () => Errors.notFound("delivery", id))

const retry = (memory: Memory["Service"], delivery: DeliveryRow, now: string) => {
  if (delivery.status === "delivering") return Result.fail(Refusals.deliveryInProgress())
  if (activeEndpoint(memory, delivery) === undefined) return Result.fail(Refusals.endpointNotActive())
  const row = { ...due(delivery, now), manual: delivery.manual || delivery.status !== "pending" }
  memory.keep(row)
  memory.afterwards(memory.handoff.wake)
  return Result.succeed(show(row))
}

const stats = (memory: Memory["Service"], now: string): Service.Stats => {
  const times = [...memory.open.values()].map(dueAt).filter((at) => at <= now)
  const oldest = times.toSorted()[0]
  return { due: times.length, oldest_due_at: oldest === undefined ? null : Date.parse(oldest) }
}

export const layer = Layer.effect(
  Service.Deliveries,
  Effect.map(Memory, (memory) =>
    Service.Deliveries.of({
      claim: (request) => memory.step((millis) => Result.succeed(claim(memory, request, millis))),
      settle: (settlements, streak) =>
        memory.step((millis) => Result.succeed(settlements.map((one) => settle(memory, one, streak, millis)))),
      release: (jobs) =>
        memory.step((millis) => {
          for (const delivery of jobs.flatMap((job) => held(memory, job) ?? [])) {
            const now = Value.timestamp(millis)
            memory.keep(activeEndpoint(memory, delivery) === undefined ? canceled(delivery, now) : due(delivery, now))
          }
          return Result.void
        }),
      list: (account_id, request) =>
        memory.step(() => {
          const { endpoint_id, status, event } = request
          const found = [...memory.deliveries(account_id).values()].filter(
            Query.matches({ endpoint_id, status, event }),
          )
          return Result.succeed(Query.page(request, found.toSorted(Query.newestFirst).map(show)))
        }),
      get: (account_id, id) => memory.step(() => Result.map(find(memory, account_id, id), detail)),
      retry: (account_id, id) =>
        memory.step((millis) =>
          Result.flatMap(find(memory, account_id, id), (row) => retry(memory, row, Value.timestamp(millis))),
        ),
      stats: memory.step((millis) => Result.succeed(stats(memory, Value.timestamp(millis)))),
    }),
  ),
)
