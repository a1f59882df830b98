/** What waits for one endpoint in this process, and what is under way to it. */
import { MutableList } from "effect"

/** What the lanes need to know of a delivery. */
export interface Item {
  readonly account_id: string
  readonly endpoint_id: string
  /** The lane it stands in, as `nameOf` says. */
  readonly lane: string
  /** The number of the attempt to make, from 1. */
  readonly attempt: number
  /** What makes it large: its payload. */
  readonly tail: string
}

/** The name of an endpoint's lane. The endpoint's id alone will not do: another account may have the same. */
export const nameOf = ({ account_id, endpoint_id }: Pick<Item, "account_id" | "endpoint_id">): string =>
  `${account_id}/${endpoint_id}`

export type Kind = "first" | "retry"

export const kindOf = (item: Item): Kind => (item.attempt === 1 ? "first" : "retry")

export interface Lane<A extends Item> {
  readonly endpoint: Pick<A, "account_id" | "endpoint_id">
  under_way: number
  /** Attempts that may be under way as far as its endpoint has shown that it answers. */
  window: number
  /** Characters of payload under way. */
  characters: number
  readonly waiting: Record<Kind, MutableList.MutableList<A>>
  /** Whether the lane stands in the round of those that may start something of the kind. */
  readonly listed: Record<Kind, boolean>
}

/** The lane for this delivery and others to its endpoint. */
export const make = <A extends Item>({ account_id, endpoint_id }: A, window: number): Lane<A> => ({
  endpoint: { account_id, endpoint_id },
  under_way: 0,
  window,
  characters: 0,
  waiting: { first: MutableList.make(), retry: MutableList.make() },
  listed: { first: false, retry: false },
})

/** Deliveries that wait in a lane. */
export const waitingIn = <A extends Item>({ waiting }: Lane<A>): number => waiting.first.length + waiting.retry.length

/** Deliveries in a lane, under way or waiting. */
export const loadOf = <A extends Item>(lane: Lane<A>): number => lane.under_way + waitingIn(lane)
