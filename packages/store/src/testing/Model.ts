/** What storages promise of endpoints and deliveries, by the words of the interfaces alone: pure, and small enough to trust. */
import type { Delivery as Deliveries, WebhookEndpoint } from "@tc/domain"
import type { Outcome, Streak, Written } from "../Deliveries.ts"

export interface Endpoint {
  readonly account: string
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly status: WebhookEndpoint.Status
  readonly failures: number
  readonly disable_on_gone: boolean
  /** Whether each of its deliveries waits until the one before it has ended. */
  readonly ordered: boolean
}

/** Times are milliseconds since 1970. */
export interface Delivery {
  readonly endpoint: string
  readonly event: string
  readonly status: Deliveries.Status
  readonly attempts: number
  readonly due: number | null
  readonly lease: string | null
  readonly until: number | null
  readonly manual: boolean
  /** Whether a person asked for the attempt to come. */
  readonly asked: boolean
  /** Whether it stands in an order, and so is no part of the queue as a whole. */
  readonly ordered: boolean
}

/** Endpoints and deliveries by name, the deliveries in the order of their birth, and the events of each account. */
export interface Model {
  readonly endpoints: ReadonlyMap<string, Endpoint>
  readonly deliveries: ReadonlyMap<string, Delivery>
  /** The delivery of each endpoint that was leased last. */
  readonly latest: ReadonlyMap<string, string>
  readonly told: { readonly [account: string]: ReadonlyArray<string> }
}

/** How deliveries are born now: under a lease, or pending, and due after a delay. */
export interface Birth {
  readonly lease: string | null
  readonly lease_ms: number
  readonly delay_ms: number
}

export const empty: Model = { endpoints: new Map(), deliveries: new Map(), latest: new Map(), told: {} }

const over = { due: null, lease: null, until: null }
const pending = (due: number) => ({ ...over, status: "pending", due }) as const
const leased = (lease: string, until: number) =>
  ({ due: null, status: "delivering", lease, until, asked: false }) as const
const ended = (status: "succeeded" | "failed" | "canceled") => ({ ...over, status })

export const isActive = (model: Model, endpoint: string): boolean => model.endpoints.get(endpoint)?.status === "active"
/** When a worker may take a delivery. */
export const takeable = ({ due, until }: Delivery): number => due ?? until ?? Infinity

const wants = ({ status, events }: Endpoint, event: string) =>
  status === "active" && (events.includes("*") || events.includes(event))

const change = (model: Model, name: string, fields: Partial<Delivery>): Model => {
  const before = model.deliveries.get(name)
  return before === undefined
    ? model
    : { ...model, deliveries: new Map(model.deliveries).set(name, { ...before, ...fields }) }
}

/** Events happen in an account: each endpoint that wants one has a delivery to get. */
export const raise = (model: Model, account: string, events: ReadonlyArray<string>, now: number, birth: Birth): Model =>
  events.reduce(({ endpoints, deliveries, latest, told }, event) => {
    const its = [...(told[account] ?? []), event]
    const { lease, lease_ms, delay_ms } = birth
    const state = ({ ordered }: Endpoint) =>
      lease === null || ordered ? pending(now + delay_ms) : leased(lease, now + lease_ms)
    const born = [...endpoints]
      .filter(([, endpoint]) => endpoint.account === account && wants(endpoint, event))
      .map(([name, endpoint]): [string, Delivery] => [
        `${account}#${its.length} to ${name}`,
        {
          endpoint: name,
          event,
          attempts: 0,
          manual: false,
          asked: false,
          ordered: endpoint.ordered,
          ...state(endpoint),
        },
      ])
    return { endpoints, latest, deliveries: new Map([...deliveries, ...born]), told: { ...told, [account]: its } }
  }, model)

/** An endpoint is made, changed, or (null) removed: what is pending for one that is not active is canceled. */
export const put = (model: Model, name: string, endpoint: Endpoint | null): Model => {
  const endpoints = new Map(model.endpoints)
  if (endpoint === null) endpoints.delete(name)
  else endpoints.set(name, endpoint)
  if (endpoint?.status === "active") return { ...model, endpoints }
  const its = [...model.deliveries].filter(([, { endpoint, status }]) => endpoint === name && status === "pending")
  return its.reduce<Model>((model, [delivery]) => cancel(model, delivery), { ...model, endpoints })
}

/** A person enables or disables an endpoint. One that becomes active has no failures. */
export const turn = (model: Model, name: string, status: "active" | "disabled"): Model => {
  const endpoint = model.endpoints.get(name)
  if (endpoint === undefined || endpoint.status === status) return model
  return put(model, name, { ...endpoint, status, failures: status === "active" ? 0 : endpoint.failures })
}

/** From now on the deliveries of an endpoint go in order, or no more: none of them has gone last. */
export const order = (model: Model, name: string): Model => {
  const endpoint = model.endpoints.get(name)
  if (endpoint === undefined) return model
  const ordered = !endpoint.ordered
  const latest = new Map(model.latest)
  latest.delete(name)
  const its = [...model.deliveries].filter(([, delivery]) => delivery.endpoint === name)
  const deliveries = new Map([...model.deliveries, ...its.map(([id, one]) => [id, { ...one, ordered }] as const)])
  return put({ ...model, latest, deliveries }, name, { ...endpoint, ordered })
}

/** A delivery is given to a worker. */
export const lease = (model: Model, name: string, lease: string, until: number): Model => {
  const latest = new Map(model.latest).set(model.deliveries.get(name)!.endpoint, name)
  return change({ ...model, latest }, name, leased(lease, until))
}

/** A delivery whose endpoint is not active any more is not given to a worker, but canceled. */
export const cancel = (model: Model, name: string): Model => change(model, name, ended("canceled"))

/** Whether a lease is still the one that a delivery is under: it may have run out, as long as nobody else has taken it. */
export const holds = (model: Model, name: string, lease: string): boolean => model.deliveries.get(name)?.lease === lease

/** What an attempt came to that did not count against its endpoint. */
const uncounted: Written = { failures: 0, disabled: false }

/** An attempt was made under a lease that is held. */
export const settle = (
  model: Model,
  name: string,
  outcome: Outcome,
  streak: Streak,
  now: number,
  birth: Birth,
): readonly [Model, Written] => {
  const { endpoint: its, attempts } = model.deliveries.get(name)!
  const again = typeof outcome === "object" && isActive(model, its) ? pending(Date.parse(outcome.retry_at)) : null
  const end = outcome === "succeeded" ? "succeeded" : typeof outcome === "object" ? "canceled" : "failed"
  const after = change(model, name, { ...(again ?? ended(end)), attempts: attempts + 1 })
  const endpoint = after.endpoints.get(its)
  if (endpoint?.status !== "active") return [after, uncounted]
  if (outcome === "succeeded") return [put(after, its, { ...endpoint, failures: 0 }), uncounted]
  if (outcome !== "exhausted" && outcome !== "gone") return [after, uncounted]
  const { consecutive_failures: failures, disable } = streak(endpoint.failures)
  const disabled = disable || (outcome === "gone" && endpoint.disable_on_gone)
  const counted = put(after, its, { ...endpoint, failures, status: disabled ? "auto-disabled" : "active" })
  const told = disabled ? raise(counted, endpoint.account, ["webhook_endpoint.disabled"], now, birth) : counted
  return [told, { failures, disabled }]
}

/** A lease that is held is given back. */
export const release = (model: Model, name: string, due: number): Model =>
  change(model, name, isActive(model, model.deliveries.get(name)!.endpoint) ? pending(due) : ended("canceled"))

/** A person has a delivery made due now: the model after that, or why not. */
export const retry = (model: Model, name: string, now: number): Model | string => {
  const { endpoint, status, manual } = model.deliveries.get(name)!
  if (status === "delivering") return "delivery_in_progress"
  if (!isActive(model, endpoint)) return "endpoint_not_active"
  const { ordered } = model.endpoints.get(endpoint)!
  return change(model, name, { ...pending(now), manual: manual || status !== "pending", asked: true, ordered })
}
