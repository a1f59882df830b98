/** A history of a storage: what people and workers do to it, one after the other. Numbers choose among what there is. */
import { Schema } from "effect"

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

/** An account; most happens in the first. */
const account = Schema.Literals(["a", "a", "a", "b"])
/** One of an account's endpoints, by its place. Those of the two accounts have the same ids. */
const endpoint = { account, slot: Schema.Literals([0, 0, 1, 2, 2]) }
const nth = upTo(40)

/** Makes an endpoint, or lets one that there is subscribe to other events. */
export const Subscribe = Schema.Struct({
  do: Schema.Literal("subscribe"),
  ...endpoint,
  events: Schema.Literals(["*", "*", "*", "asset.created", "font.created asset.deleted webhook_endpoint.disabled"]),
  disable_on_gone: Schema.Boolean,
})

/** Changes an endpoint in another way; `move` gives it another URL and another secret, `order` has it in order, or no more. */
export const Change = Schema.Struct({
  do: Schema.Literals(["move", "enable", "enable", "disable", "remove", "order"]),
  ...endpoint,
})

/** From now on a receiver has room for leases so long, or there is none, and first attempts may have to wait. */
export const Receive = Schema.Struct({
  do: Schema.Literal("receive"),
  how: Schema.Literals(["not", "not", "not, and wait", 5_000, 60_000]),
})

/**
 * Changes a record. `same` changes nothing, `taken` is refused, and with a store its product is removed. `emit` is of no record,
 * and a `burst` of several assets at once.
 */
export const Write = Schema.Struct({
  do: Schema.Literal("write"),
  account,
  what: Schema.Literals(["asset", "burst", "burst", "font", "store", "emit", "rename", "same", "taken", "delete"]),
})

export const Claim = Schema.Struct({
  do: Schema.Literal("claim"),
  limit: Schema.Literals([100, 100, 4, 4, 2, 1]),
  per_endpoint: Schema.Literals([100, 100, 2, 1]),
  quick: Schema.Literals(["", "a0", "b0 a1"]),
  saturated: Schema.Literals(["", "", "a0", "b0 a1"]),
  lease_ms: Schema.Literals([5_000, 60_000]),
})

/** Takes one of each of some endpoints, to see whether they answer. */
export const Probe = Schema.Struct({
  do: Schema.Literal("probe"),
  endpoints: Schema.Literals(["a0", "a0 a1", "a1 b0 b1"]),
  ready: Schema.Boolean,
  lease_ms: Schema.Literals([5_000, 60_000]),
})

/** What becomes of an attempt; a number: it is due again after so many milliseconds. */
export const Ending = Schema.Literals([
  "succeeded",
  "exhausted",
  "exhausted",
  "gone",
  "failed",
  0,
  1_000,
  60_000,
  7_200_000,
])

/** Attempts have ended: of jobs held now, or (`late`) of any job there ever was. */
export const Settle = Schema.Struct({
  do: Schema.Literal("settle"),
  results: Schema.Array(Schema.Struct({ nth, ending: Ending })).check(Schema.isMinLength(1), Schema.isMaxLength(5)),
  late: Schema.Literals([false, false, false, true]),
})

/** A job is given back, to be due at once or after so many milliseconds: one held now, or (`late`) one that is held no more. */
export const Release = Schema.Struct({
  do: Schema.Literal("release"),
  nth,
  late: Schema.Literals([false, false, true]),
  millis: Schema.Literals(["now", 1_000, 60_000]),
})

/** A person has a delivery attempted again. */
export const Retry = Schema.Struct({ do: Schema.Literal("retry"), nth })

/** Time passes: so many milliseconds, or until something falls due. */
export const Wait = Schema.Struct({
  do: Schema.Literal("wait"),
  millis: Schema.Literals([1, 1_000, 10_000, 7_200_000, "due", "due", "due"]),
})

/** The commoner a command, the oftener it stands here. */
export const Command = Schema.Union([
  Subscribe,
  Subscribe,
  Subscribe,
  Change,
  Change,
  Receive,
  Write,
  Write,
  Write,
  Write,
  Write,
  Write,
  Claim,
  Claim,
  Claim,
  Claim,
  Claim,
  Probe,
  Probe,
  Settle,
  Settle,
  Settle,
  Settle,
  Settle,
  Settle,
  Release,
  Retry,
  Retry,
  Wait,
  Wait,
  Wait,
  Wait,
])
export type Command = typeof Command.Type

export const History = Schema.Array(Command).check(Schema.isMaxLength(40))
export type History = typeof History.Type
