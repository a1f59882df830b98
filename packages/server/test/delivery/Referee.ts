/**
 * What a dispatcher must make of receivers whose replies are known beforehand: told what happened and when each attempt
 * began, it says what was against the rules, and how everything stands in the end. It knows no code of ours.
 */

/** What a receiver does with an attempt: after so many milliseconds it is well, or not, or gone, and may ask for a longer delay. */
export interface Reply {
  readonly takes: number
  readonly ok: boolean
  readonly gone: boolean
  readonly retry_after: number
}

export interface Rules {
  /** Milliseconds before attempts 1…n. */
  readonly schedule: ReadonlyArray<number>
  readonly disable_after: number
  readonly concurrency: number
  readonly per_endpoint: number
  /** Whether there is room for all at once, so that each attempt must begin when it is due. */
  readonly isPrompt: boolean
  /** Whether an endpoint answers always: others may be left alone for a while. */
  readonly answers: (endpoint: string) => boolean
  readonly replyOf: (delivery: Delivery) => Reply
}

/** What happened from outside, in the order of time. */
export type Happening =
  | { readonly at: number; readonly what: "event"; readonly event: string }
  | { readonly at: number; readonly what: "attempt"; readonly event: string; readonly endpoint: string }
  | { readonly at: number; readonly what: "start" | "stop" }

export interface Endpoint {
  active: boolean
  failures: number
}

export interface Delivery {
  readonly event: string
  readonly endpoint: string
  status: "pending" | "delivering" | "succeeded" | "failed" | "canceled"
  due: number
  /** When it was canceled. */
  canceled_at: number | null
  /** When its attempts began. */
  readonly began: Array<number>
}

/** Plays the happenings through. */
export class Referee {
  readonly endpoints = new Map<string, Endpoint>()
  readonly deliveries: Array<Delivery> = []
  readonly wrong: Array<string> = []
  readonly #rules: Rules
  /** Attempts under way, and when they end. */
  #under_way: Array<{ readonly delivery: Delivery; readonly ends: number; readonly reply: Reply }> = []
  /** When the dispatcher that is there began; null while there is none. */
  #since: number | null = null
  /** Attempts begun since a first attempt has been waiting all the time that could have begun. */
  #overtaken = { first: 0, retry: 0 }

  constructor(rules: Rules, endpoints: ReadonlyArray<string>) {
    this.#rules = rules
    for (const name of endpoints) this.endpoints.set(name, { active: true, failures: 0 })
  }

  play(happenings: ReadonlyArray<Happening>): this {
    for (const happening of happenings) {
      this.#end(happening.at)
      if (happening.what === "event") this.#tell(happening.event, happening.at)
      else if (happening.what === "attempt") this.#begin(happening)
      else this.#since = happening.what === "start" ? happening.at : null
    }
    this.#end(Infinity)
    const left = this.deliveries.filter(({ status }) => status === "pending" || status === "delivering")
    for (const delivery of left) this.wrong.push(`${nameOf(delivery)} is ${delivery.status} in the end`)
    return this
  }

  #tell(event: string, at: number): void {
    const [delay = 0] = this.#rules.schedule
    for (const [endpoint, { active }] of this.endpoints)
      if (active)
        this.deliveries.push({ event, endpoint, status: "pending", due: at + delay, canceled_at: null, began: [] })
  }

  #begin({ at, event, endpoint }: Extract<Happening, { readonly what: "attempt" }>): void {
    const delivery = this.deliveries.find((one) => one.event === event && one.endpoint === endpoint)
    // The slot that an attempt leaves is taken before what came of it is written, and may disable the endpoint.
    if (delivery === undefined || (delivery.status !== "pending" && delivery.canceled_at !== at))
      return void this.wrong.push(`${event} to ${endpoint} at ${at}, though it is ${delivery?.status ?? "not there"}`)
    const { isPrompt, concurrency, per_endpoint, replyOf } = this.#rules
    const expected = Math.max(delivery.due, this.#since ?? Infinity)
    if (at < expected || (isPrompt && at > expected))
      this.wrong.push(`${nameOf(delivery)} at ${at}; should be ${expected}`)
    this.#overtake(delivery, at)
    delivery.status = "delivering"
    delivery.began.push(at)
    const reply = replyOf(delivery)
    this.#under_way.push({ delivery, ends: at + reply.takes, reply })
    if (this.#under_way.length > concurrency) this.wrong.push(`${this.#under_way.length} under way at ${at}`)
    if (this.#load(endpoint) > per_endpoint) this.wrong.push(`${this.#load(endpoint)} to ${endpoint} at ${at}`)
  }

  #load(endpoint: string): number {
    return this.#under_way.filter(({ delivery }) => delivery.endpoint === endpoint).length
  }

  /** Retries are not begun again and again while a first attempt waits that could be. */
  #overtake(next: Delivery, at: number): void {
    const isWaiting = this.deliveries.some(
      ({ endpoint, began, due, status }) =>
        status === "pending" &&
        began.length === 0 &&
        due < at &&
        this.#rules.answers(endpoint) &&
        this.#load(endpoint) === 0,
    )
    if (!isWaiting) this.#overtaken = { first: 0, retry: 0 }
    else this.#overtaken[next.began.length === 0 ? "first" : "retry"] += 1
    const { first, retry } = this.#overtaken
    if (retry > first / 2 + 2)
      this.wrong.push(`${retry} retries and ${first} first attempts before one that waits, at ${at}`)
  }

  /** Ends the attempts that end by then, in their order. */
  #end(by: number): void {
    const ending = this.#under_way.filter(({ ends }) => ends <= by).toSorted((left, right) => left.ends - right.ends)
    for (const one of ending) {
      this.#under_way = this.#under_way.filter((other) => other !== one)
      this.#settle(one.delivery, one.reply, one.ends)
    }
  }

  #settle(delivery: Delivery, { ok, gone, retry_after }: Reply, at: number): void {
    const endpoint = this.endpoints.get(delivery.endpoint)!
    const delay = this.#rules.schedule[delivery.began.length]
    if (ok) {
      delivery.status = "succeeded"
      if (endpoint.active) endpoint.failures = 0
    } else if (delay !== undefined && !gone) {
      delivery.status = endpoint.active ? "pending" : "canceled"
      delivery.due = at + Math.max(delay, retry_after)
    } else {
      delivery.status = "failed"
      if (endpoint.active && ++endpoint.failures >= this.#rules.disable_after) this.#disable(delivery.endpoint, at)
    }
  }

  #disable(name: string, at: number): void {
    this.endpoints.get(name)!.active = false
    for (const delivery of this.deliveries)
      if (delivery.endpoint === name && delivery.status === "pending") {
        delivery.status = "canceled"
        delivery.canceled_at = at
      }
  }
}

export const nameOf = ({ event, endpoint, began }: Delivery): string =>
  `${event} to ${endpoint}, attempt ${began.length + 1},`
