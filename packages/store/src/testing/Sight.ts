/** Endpoints, deliveries and events in words, as the model has them and as a storage shows them, to be compared. */
import { type Id, Value } from "@tc/domain"
import { Effect } from "effect"
import { Deliveries } from "../Deliveries.ts"
import { Events } from "../Events.ts"
import { WebhookEndpoints } from "../Repository.ts"
import type { Model } from "./Model.ts"

/** What there is, by name, in words. */
export type Sight = ReadonlyMap<string, string>

/** An account of a history, and the names of what is in it. */
export interface Account {
  readonly name: string
  readonly id: Id.AccountId
  readonly nameOf: (endpoint_id: Id.WebhookEndpointId) => string
  /** What was told, oldest first, as far as it was seen. */
  readonly events: Array<{ readonly id: Id.EventId; readonly event: string }>
  /** The names of its deliveries, as far as they were seen. */
  readonly deliveries: Map<Id.DeliveryId, string>
}

const PAGE = 100

const stamp = (millis: number | null) => (millis === null ? null : Value.timestamp(millis))

const describeDelivery = (
  event: string,
  status: string,
  attempts: number,
  due_at: string | null,
  lease_until: string | null,
) => `${event}, ${status}, ${attempts} attempts, due ${due_at ?? "never"}, leased until ${lease_until ?? "never"}`

const describeEndpoint = (status: string, failures: number, url: string, events: ReadonlyArray<string>) =>
  `${status}, ${failures} failures, wants ${events.join()} at ${url}`

/** What the model has told. */
export const told = ({ told }: Model): Sight =>
  new Map(Object.entries(told).map(([name, events]) => [`account ${name}`, events.join()]))

export const endpoints = ({ endpoints }: Model): Sight =>
  new Map(
    [...endpoints].map(([name, { status, failures, url, events }]) => [
      `endpoint ${name}`,
      describeEndpoint(status, failures, url, events),
    ]),
  )

export const deliveries = ({ deliveries }: Model): Sight =>
  new Map(
    [...deliveries].map(([name, { event, status, attempts, due, until }]) => [
      `delivery ${name}`,
      describeDelivery(event, status, attempts, stamp(due), stamp(until)),
    ]),
  )

/** The events of an account, of which those since the last time should be as many. */
export const toldIn = Effect.fnUntraced(function* (account: Account, fresh: number) {
  // Where there should be none, the page after the last: the total is all that matters.
  const page = fresh > 0 ? { page: 1, per_page: fresh } : { page: account.events.length + 1, per_page: 1 }
  const { data, meta } = yield* Effect.orDie((yield* Events).list(account.id, page))
  account.events.push(...data.slice(0, meta.total - account.events.length).toReversed())
  const unseen = meta.total === account.events.length ? [] : [`${meta.total} in all`]
  const events = [...account.events.map(({ event }) => event), ...unseen]
  return new Map(events.length === 0 ? [] : [[`account ${account.name}`, events.join()]])
})

export const endpointsIn = Effect.fnUntraced(function* ({ id, nameOf }: Account) {
  const { data } = yield* Effect.orDie((yield* WebhookEndpoints).list(id, { page: 1, per_page: PAGE }))
  return new Map(
    data.map(({ id, status, consecutive_failures, url, events }) => [
      `endpoint ${nameOf(id)}`,
      describeEndpoint(status, consecutive_failures, url, events),
    ]),
  )
})

/** The deliveries of an account whose events were seen. */
export const deliveriesIn = Effect.fnUntraced(function* (account: Account) {
  const { list } = yield* Deliveries
  const first = yield* list(account.id, { page: 1, per_page: PAGE })
  const others = yield* Effect.forEach(
    Array.from({ length: Math.max(0, first.meta.total_pages - 1) }, (_, nth) => nth + 2),
    (page) => list(account.id, { page, per_page: PAGE }),
  )
  const numbers = new Map(account.events.map(({ id }, nth) => [id, nth + 1]))
  return new Map(
    [first, ...others].flatMap(({ data }) =>
      data.map(({ id, event, event_id, endpoint_id, status, attempt_count, due_at, lease_until }) => {
        const name = `${account.name}#${numbers.get(event_id) ?? event_id} to ${account.nameOf(endpoint_id)}`
        account.deliveries.set(id, name)
        return [`delivery ${name}`, describeDelivery(event, status, attempt_count, due_at, lease_until)] as const
      }),
    ),
  )
})

/** What differs, each difference a sentence. */
export const differences = (expected: Sight, actual: Sight): ReadonlyArray<string> =>
  [...new Set([...expected.keys(), ...actual.keys()])]
    .filter((name) => expected.get(name) !== actual.get(name))
    .map((name) => `${name} is: ${actual.get(name) ?? "not there"}; should be: ${expected.get(name) ?? "not there"}`)
