/** Random histories: after each command a storage agrees with the model, whatever came before. */
import { assert, it } from "@effect/vitest"
import { Arbitrary, Effect, Layer } from "effect"
import * as Contract from "./Contract.ts"
import { History } from "./History.ts"
import { type Disagreement, type Looks, play } from "./Play.ts"
import { Stage } from "./Stage.ts"

/** What a property is checked with: most histories have 5 to 25 commands, and one that fails is shortened far. */
const options = { size: 80, maxShrinks: 1_000 } as const

/** Milliseconds for all histories, and for those by which one that fails is shortened. */
const TIMEOUT_MS = 900_000

/** The shortest history that was found, as sentences, and what reproduces it. */
const report = ({ done, wrong }: Disagreement, replay: Arbitrary.Replay): string =>
  [
    "the storage and the model disagree after",
    ...done.map((step, nth) => `  ${nth + 1}. ${step}`),
    ...wrong.map((difference) => `=> ${difference}`),
    `(found with the seed of replay: ${replay})`,
  ].join("\n")

const first = { account: "a", slot: 0 } as const
const inOrder = { account: "a", slot: 2 } as const
const all = { events: "*", disable_on_gone: false } as const
const second = { ...first, slot: 1 } as const
const burst = { do: "write", account: "a", what: "burst" } as const
const order = { do: "order", ...first } as const
const claim = { do: "claim", limit: 100, per_endpoint: 100, quick: "", saturated: "", lease_ms: 60_000 } as const

/** Histories, to be played one after the other, after which storage and model once disagreed. */
const known: ReadonlyArray<{ readonly why: string; readonly histories: ReadonlyArray<History> }> = [
  {
    why: "a claim that has nothing to wait for but the end of a lease of a removed endpoint says when another lease ends",
    histories: [
      [{ do: "subscribe", ...first, ...all }, { do: "write", account: "a", what: "asset" }, claim],
      [
        { do: "subscribe", ...inOrder, ...all },
        { do: "write", account: "a", what: "asset" },
        claim,
        { do: "remove", ...inOrder },
        claim,
      ],
    ],
  },
  {
    why: "the one place of a claim goes to what fell due first, where that hides a first attempt to its endpoint",
    histories: [
      [
        { do: "subscribe", ...second, ...all },
        burst,
        { ...claim, limit: 2 },
        { do: "settle", results: [{ nth: 0, ending: 1_000 }], late: false },
        { do: "release", nth: 0, late: false, millis: 1_000 },
        { do: "subscribe", ...first, ...all },
        burst,
        { ...claim, saturated: "a0" },
        { do: "wait", millis: 1_000 },
        { ...claim, limit: 1, saturated: "a0" },
      ],
    ],
  },
  {
    why: "two to an endpoint are under lease when it is put in order: one that fails waits until the other has ended",
    histories: [
      [
        { do: "subscribe", ...first, ...all },
        burst,
        { ...claim, limit: 2 },
        order,
        { do: "settle", results: [{ nth: 0, ending: 1_000 }], late: false },
        { do: "wait", millis: 1_000 },
        claim,
      ],
    ],
  },
  {
    why: "what a person asked for of an endpoint in order is probed though that is not ready",
    histories: [
      [
        { do: "subscribe", ...first, ...all },
        { do: "write", account: "a", what: "asset" },
        order,
        { do: "retry", nth: 0 },
        { do: "probe", endpoints: "a0", ready: false, lease_ms: 60_000 },
      ],
    ],
  },
  {
    why: "an endpoint in order is removed with one under lease, and made again as one that is not",
    histories: [
      [
        { do: "subscribe", ...first, ...all },
        order,
        { do: "write", account: "a", what: "asset" },
        claim,
        { do: "remove", ...first },
        { do: "subscribe", ...first, ...all },
        { do: "wait", millis: "due" },
        claim,
      ],
    ],
  },
]

/** So many histories, one after the other, for a claim is about all accounts there are. */
export const suiteOf =
  (runs: number, looks: Looks): Contract.Suite =>
  (name, layer) => {
    it.layer(layer.pipe(Layer.provideMerge(Stage.layer)), Contract.options)(`Histories (${name})`, (it) => {
      for (const { why, histories } of known)
        it.effect(why, () => Effect.forEach(histories, (history) => play(history, looks), { discard: true }))

      it.effect(
        `${runs} random histories agree with the model at every step`,
        () =>
          Effect.gen(function* () {
            const result = yield* Arbitrary.checkEffect(
              Arbitrary.schema(History),
              (history) => Effect.as(play(history, looks), true),
              { ...options, runs },
            )
            if (result._tag === "Falsified" && result.failure._tag === "PropertyError")
              return assert.fail(report(result.failure.error, result.replay))
            assert.strictEqual(result._tag, "Passed", Arbitrary.formatCheckFailure(result))
          }),
        TIMEOUT_MS,
      )
    })
  }

export const suite: Contract.Suite = suiteOf(1_000, "changes")
