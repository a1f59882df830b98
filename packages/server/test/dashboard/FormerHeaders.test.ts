/** The headers of attempts whose endpoint was changed since, beside those that its receivers got. */
import { assert, describe, it } from "@effect/vitest"
import { layerMemory } from "@tc/store"
import { verify } from "@tc/webhooks/verify"
import { Effect, Layer, Redacted } from "effect"
import * as StorageLayer from "../../src/node/StorageLayer.ts"
import * as Database from "../blackbox/Database.ts"
import * as Receiver from "../blackbox/Receiver.ts"
import { until } from "../blackbox/Until.ts"
import { begin as beginOn, BRAND, ended, linesOf, listening } from "./Sent.ts"

const postgres = Layer.unwrap(
  Effect.map(
    Effect.promise(() => Database.create()),
    ({ href }) =>
      StorageLayer.layer(
        { storage: { kind: "postgres", url: Redacted.make(href), connections: 5 } },
        { listens: true },
      ),
  ),
)

const storages = { memory: layerMemory, postgres: Layer.orDie(postgres) }

/** How many secrets signed. */
const signers = (attempt: { readonly headers: Readonly<Record<string, string>> }) =>
  attempt.headers["webhook-signature"]?.split(" ").length

/** An owner whose endpoint can be changed, and whose delivery sent again, and all that its receivers got. */
const beginWith = Effect.fnUntraced(function* (storage: (typeof storages)[keyof typeof storages]) {
  const { ada, at, endpoint, happen, hook } = yield* beginOn(storage)
  const other = (yield* listening).hook(Receiver.status(200))
  const rotate = async (overlap_seconds: number) =>
    (await ada.post(`${at}/rotate_secret`, { overlap_seconds })).body as {
      readonly secret: string
      readonly secret_overlap_until: string
    }
  const move = () => ada.ask(at, { method: "PATCH", body: { url: other.url } })
  const again = async (id: string, attempts: number) => {
    await ada.post(`deliveries/${id}/retry`)
    return ended(ada, attempts)
  }
  const seen = () => [...hook.seen, ...other.seen].toSorted((left, right) => left.at - right.at)
  return { ada, again, at, endpoint, happen, hook, move, rotate, seen }
})

for (const [name, storage] of Object.entries(storages)) {
  describe(`the headers of an attempt, on ${name}`, () => {
    it.live("are those that its receiver got, whatever its endpoint was changed to since", () =>
      Effect.gen(function* () {
        const { ada, again, endpoint, happen, move, rotate, seen } = yield* beginWith(storage)
        const { secrets, shown } = yield* Effect.promise(async () => {
          const secrets: Array<string> = [endpoint.secret]
          const rotated = async (overlap_seconds: number) => secrets.push((await rotate(overlap_seconds)).secret)
          await happen("It’s “quoted” 🖨️")
          const { id } = await ended(ada)
          await move()
          await again(id, 2)
          await rotated(0)
          await again(id, 3)
          await rotated(3_600)
          await again(id, 4)
          await rotated(3_600)
          await again(id, 5)
          // It ends all overlaps.
          await rotated(0)
          await again(id, 6)
          return { secrets, shown: (await ada.ask(`deliveries/${id}`)).body }
        })
        assert.deepStrictEqual(
          shown.attempts.map(linesOf),
          seen().map(({ headerLines }) => headerLines),
        )
        assert.deepStrictEqual(shown.attempts.map(signers), [1, 1, 1, 2, 3, 1])
        const byPresent = shown.attempts.map((one: { readonly signed_by_present: boolean }) => one.signed_by_present)
        assert.deepStrictEqual(byPresent, [false, false, false, false, false, true])
        assert.notStrictEqual(shown.attempts[0].headers.host, shown.attempts[1].headers.host)
        const signing = [0, 0, 1, 2, 3, 4]
        for (const [nth, { headers, unsigned }] of shown.attempts.entries()) {
          assert.isNull(unsigned)
          const secret = secrets[signing[nth] ?? 0] ?? ""
          assert.isTrue(
            (yield* Effect.promise(() => verify({ headers, body: shown.body }, secret, { brand: BRAND }))).ok,
          )
        }
        for (const secret of secrets) assert.notInclude(JSON.stringify(shown), secret)
      }),
    )

    it.live("have the signatures of an overlap that has ended since, and no more of it once it has", () =>
      Effect.gen(function* () {
        const { ada, again, happen, rotate, seen } = yield* beginWith(storage)
        const shown = yield* Effect.promise(async () => {
          const { secret_overlap_until } = await rotate(5)
          await happen("Star")
          const { id } = await ended(ada)
          await until("the overlap has ended", () => Date.now() > Date.parse(secret_overlap_until))
          await again(id, 2)
          await rotate(0)
          return (await ada.ask(`deliveries/${id}`)).body
        })
        assert.deepStrictEqual(
          shown.attempts.map(linesOf),
          seen().map(({ headerLines }) => headerLines),
        )
        assert.deepStrictEqual(shown.attempts.map(signers), [2, 1])
      }),
    )

    it.live("are those that it began with where its endpoint is changed while it is under way", () =>
      Effect.gen(function* () {
        const { ada, happen, hook, move, rotate } = yield* beginWith(storage)
        const shown = yield* Effect.promise(async () => {
          const arrived = Promise.withResolvers<() => void>()
          hook.reply = (...given) => arrived.resolve(() => Receiver.status(200)(...given))
          await happen("Star")
          const answer = await arrived.promise
          await move()
          await rotate(0)
          answer()
          return ended(ada)
        })
        assert.deepStrictEqual(linesOf(shown.attempts[0]), hook.seen[0]?.headerLines)
        assert.isNull(shown.attempts[0].unsigned)
      }),
    )
  })
}
