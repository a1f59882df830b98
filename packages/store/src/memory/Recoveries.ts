/** Recoveries in memory. */
import { Errors, Id, Recovery, Value, WebhookEndpoint } from "@tc/domain"
import { Effect, Layer, Result, Struct } from "effect"
import * as Progress from "../Progress.ts"
import * as Service from "../Recoveries.ts"
import * as Refusals from "../Refusals.ts"
import { type EventRow, isOpen, Memory } from "./Memory.ts"
import * as Outbox from "./Outbox.ts"
import * as Query from "./Query.ts"

const show = (row: Progress.RecoveryRow): Recovery.Recovery => Struct.omit(row, ["cursor", "due_at", "lease"])

const create = (
  memory: Memory["Service"],
  endpoint: WebhookEndpoint.WebhookEndpoint,
  { since, until, events }: Service.Wanted,
  millis: number,
) => {
  const { account_id, id: endpoint_id } = endpoint
  const rows = memory.recoveries(account_id)
  if (endpoint.status !== "active") return Result.fail(Refusals.endpointNotActive())
  const isTaken = [...rows.values()].some((row) => row.endpoint_id === endpoint_id && row.due_at !== null)
  if (isTaken) return Result.fail(Refusals.recoveryInProgress())
  const now = Value.timestamp(millis)
  const row: Progress.RecoveryRow = {
    id: Id.RecoveryId.id.make(memory.nextId(millis)),
    account_id,
    endpoint_id,
    status: "pending",
    since,
    until,
    events: events ?? endpoint.events,
    event_count: 0,
    delivery_count: 0,
    created_at: now,
    updated_at: now,
    completed_at: null,
    cursor: Progress.start(since),
    due_at: now,
    lease: null,
  }
  rows.set(row.id, row)
  return Result.succeed(show(row))
}

const claim = (memory: Memory["Service"], lease_ms: number, millis: number): Service.Claimed | null => {
  const now = Value.timestamp(millis)
  const due = [...memory.accounts.values()]
    .flatMap(({ id }) => [...memory.recoveries(id).values()])
    .filter(({ due_at }) => due_at !== null && due_at <= now)
  const [row] = due.toSorted((left, right) => Query.compare(left.due_at ?? "", right.due_at ?? ""))
  if (row === undefined) return null
  const { account_id, endpoint_id, id } = row
  const lease = memory.nextId(millis)
  const held = { lease, due_at: Value.timestamp(millis + lease_ms) }
  memory.recoveries(account_id).set(id, { ...row, ...Recovery.run("start", row, now), ...held })
  return { account_id, endpoint_id, id, lease }
}

/** Whether an event is for the endpoint of a recovery, which is never told of itself. */
const isFor = ({ events, endpoint_id }: Recovery.Recovery, { event, tail }: EventRow): boolean =>
  WebhookEndpoint.covers(events, event) &&
  !(event === WebhookEndpoint.DISABLED && JSON.parse(`{${tail}`).data.id === endpoint_id)

/** The next events, as far as there is room for the deliveries that they lack. */
const look = (
  memory: Memory["Service"],
  row: Progress.RecoveryRow,
  before: string,
  { limit, max_open }: Service.AdvanceRequest,
) => {
  const its = [...memory.deliveries(row.account_id).values()].filter(
    ({ endpoint_id }) => endpoint_id === row.endpoint_id,
  )
  const got = new Set(its.filter((one) => isOpen(one) || one.status === "succeeded").map(({ event_id }) => event_id))
  const room = max_open - its.filter(isOpen).length
  const seen: Array<EventRow> = []
  const missed: Array<EventRow> = []
  for (const event of memory.events(row.account_id).values()) {
    if (event.id <= row.cursor || event.id >= before) continue
    if (missed.length >= room || seen.length === limit) break
    seen.push(event)
    if (isFor(row, event) && !got.has(event.id)) missed.push(event)
  }
  return { seen, missed, isFull: missed.length >= room }
}

const advance = (
  memory: Memory["Service"],
  { account_id, id, lease }: Service.Claimed,
  request: Service.AdvanceRequest,
  millis: number,
): Recovery.Recovery | null => {
  const row = memory.recoveries(account_id).get(id)
  if (row === undefined || row.lease !== lease) return null
  const { before, isLast } = Progress.end(row, request, millis)
  const { seen, missed, isFull } = look(memory, row, before, request)
  Outbox.deliver(memory, row, missed, millis)
  const batch = { seen: seen.length, made: missed.length, last: seen.at(-1)?.id ?? null, isFull }
  const next = Progress.after(row, batch, request, { isLast, millis })
  memory.recoveries(account_id).set(id, next)
  return show(next)
}

export const layer = Layer.effect(
  Service.Recoveries,
  Effect.map(Memory, (memory) =>
    Service.Recoveries.of({
      create: (account_id, endpoint_id, wanted) =>
        memory.step((millis) => {
          const found = memory.records(WebhookEndpoint.resource, account_id).get(endpoint_id)
          const endpoint = Result.fromNullishOr(found, () => Errors.notFound("webhook_endpoint", endpoint_id))
          return Result.flatMap(endpoint, (endpoint) => create(memory, endpoint, wanted, millis))
        }),
      list: (account_id, endpoint_id, request) =>
        memory.step(() => {
          const found = [...memory.recoveries(account_id).values()].filter(Query.matches({ endpoint_id }))
          return Result.succeed(Query.page(request, found.toSorted(Query.latestFirst).map(show)))
        }),
      get: (account_id, endpoint_id, id) =>
        memory.step(() => {
          const row = memory.recoveries(account_id).get(id)
          return row?.endpoint_id === endpoint_id
            ? Result.succeed(show(row))
            : Result.fail(Errors.notFound("recovery", id))
        }),
      claim: (lease_ms) => memory.step((millis) => Result.succeed(claim(memory, lease_ms, millis))),
      advance: (claimed, request) => memory.step((millis) => Result.succeed(advance(memory, claimed, request, millis))),
    }),
  ),
)
