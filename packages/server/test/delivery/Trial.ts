/** Lanes to try out, and deliveries to stand in them. */
import * as Lane from "../../src/Lane.ts"
import { Lanes } from "../../src/Lanes.ts"

const limits = { concurrency: 64, per_endpoint: 8, capacity: 512, characters: 10_000, window: Infinity }
export const make = (some: Partial<typeof limits> = {}) => new Lanes<Item>({ ...limits, ...some })

export interface Item extends Lane.Item {
  readonly id: number
}

let ids = 0
export const item = (endpoint_id: string, attempt = 1, account_id = "account"): Item => {
  const endpoint = { account_id, endpoint_id }
  return { ...endpoint, lane: Lane.nameOf(endpoint), attempt, tail: "tail", id: ids++ }
}
export const lane = (endpoint_id: string) => item(endpoint_id).lane

export const fill = (lanes: Lanes<Item>, items: ReadonlyArray<Item>) => items.map((one) => lanes.add(one))
export const items = (count: number, endpoint_id: string, attempt = 1) =>
  Array.from({ length: count }, () => item(endpoint_id, attempt))

/** Takes all that may start. */
export const takeAll = (lanes: Lanes<Item>): Array<Item> => {
  const taken: Array<Item> = []
  for (let next = lanes.take(); next !== undefined; next = lanes.take()) taken.push(next)
  return taken
}
