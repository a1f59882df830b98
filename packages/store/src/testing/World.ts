/** A storage and the model of it side by side, with the names that the model has for what is in the storage. */
import { Id } from "@tc/domain"
import { Effect } from "effect"
import type { Accounts } from "../Accounts.ts"
import type { Endpoint, Job } from "../Deliveries.ts"
import type { Services } from "../Services.ts"
import * as Fixture from "./Fixture.ts"
import * as Model from "./Model.ts"
import type * as Sight from "./Sight.ts"

/** A job that some worker was given, and the name of its delivery. */
export interface Given {
  readonly name: string
  readonly job: Job
}

/** A record that is there. */
export interface Kept {
  readonly account: string
  readonly kind: "asset" | "font" | "store"
  readonly id: string
}

export interface World {
  readonly now: () => number
  readonly accounts: ReadonlyArray<Sight.Account>
  /** The ids of endpoints, the same in each account. */
  readonly slots: ReadonlyArray<Id.WebhookEndpointId>
  /** The newest last. */
  records: ReadonlyArray<Kept>
  /** All jobs there ever were, those that ended long ago included. */
  jobs: ReadonlyArray<Given>
  model: Model.Model
  birth: Model.Birth
}

/** What was done, and what is wrong with it already. */
export interface Done {
  readonly said: string
  readonly wrong?: ReadonlyArray<string>
}

/** How a command is done; null where there is nothing to do it to. */
export type Run<Command, R = never> = (
  world: World,
  command: Command,
) => Effect.Effect<Done | null, never, Services | R>

export const nobody: Model.Birth = { lease: null, lease_ms: 0, delay_ms: 0 }

const SLOTS = 3
/** The endpoints in this place are in order. */
export const ORDERED = 2

/** Two new accounts with nothing in them. */
export const make = (now: () => number): Effect.Effect<World, never, Accounts> =>
  Effect.gen(function* () {
    const slots = Array.from({ length: SLOTS }, () => Id.WebhookEndpointId.id.make(crypto.randomUUID()))
    const accounts = yield* Effect.forEach(["a", "b"], (name) =>
      Effect.map(Fixture.account, (id) => {
        const nameOf = (endpoint_id: Id.WebhookEndpointId) => `${name}${slots.indexOf(endpoint_id)}`
        return { name, id, nameOf, events: [], deliveries: new Map() }
      }),
    )
    return { now, accounts, slots, records: [], jobs: [], model: Model.empty, birth: nobody }
  })

export const account = (world: World, name: string): Sight.Account => world.accounts.find((one) => one.name === name)!

/** The endpoint of that name, whether it is there or not. */
export const endpoint = (world: World, name: string): Endpoint => ({
  account_id: account(world, name.slice(0, 1)).id,
  endpoint_id: world.slots[Number(name.slice(1))]!,
})

/** The name of an endpoint, and of a delivery as far as it was seen. */
export const nameOf = (world: World, { account_id, endpoint_id }: Endpoint): string =>
  world.accounts.find(({ id }) => id === account_id)?.nameOf(endpoint_id) ?? "nobody's"

export const deliveryOf = (world: World, { account_id, id }: Pick<Job, "account_id" | "id">): string =>
  world.accounts.find((one) => one.id === account_id)?.deliveries.get(id) ?? `unknown ${id}`

/** The delivery of that name. */
export const delivery = (world: World, name: string): Pick<Job, "account_id" | "id"> | undefined =>
  world.accounts.flatMap(({ id: account_id, deliveries }) =>
    [...deliveries].flatMap(([id, its]) => (its === name ? [{ account_id, id }] : [])),
  )[0]

/** The one that a number chooses; nothing where there is none. */
export const pick = <A>(among: ReadonlyArray<A>, nth: number): A | undefined => among[nth % among.length]

/** The secret that goes with a URL, for a move changes both. */
export const secretOf = (url: string): string => `sealed for ${url}`

/** What is wrong with a job of a delivery that the model has under lease. */
export const faults = ({ model, ...world }: World, { name, job }: Given): ReadonlyArray<string> => {
  const it = model.deliveries.get(name)
  const target = it === undefined ? undefined : model.endpoints.get(it.endpoint)
  if (it === undefined || target === undefined) return [`a job for ${name}`]
  const { tail: _tail, id: _id, account_id, endpoint_id, ...rest } = job
  const actual = { ...rest, endpoint: nameOf({ model, ...world }, { account_id, endpoint_id }) }
  const expected = {
    endpoint: it.endpoint,
    event: it.event,
    attempt: it.attempts + 1,
    manual: it.manual,
    url: target.url,
    secret: secretOf(target.url),
    lease: it.lease,
    lease_until: it.until,
  }
  return Object.entries(expected).flatMap(([field, value]) => {
    const is = Object.entries(actual).find(([name]) => name === field)?.[1]
    return is === value ? [] : [`the job for ${name} has ${field} ${is}; should be ${value}`]
  })
}
