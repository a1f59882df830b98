/** Tries from one address, and what they leave behind for the people whom they were about. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { owner, PASSWORD, Person, start } from "./World.ts"

const credentials = { email: "ada@example.com", password: PASSWORD }

it.live("who has tried too often from one address keeps nobody from signing in elsewhere", () =>
  Effect.gen(function* () {
    const world = yield* start({ trust_proxy: true })
    yield* owner(world)
    const from = (address: string) => new Person(world.origin, { "x-forwarded-for": address })
    const statuses = (times: number, one: (person: Person) => Promise<{ readonly status: number }>) =>
      Effect.promise(async () => {
        const person = from("203.0.113.9")
        const answers = await Promise.all(Array.from({ length: times }, () => one(person)))
        return new Set(answers.map(({ status }) => status))
      })
    // About nobody, so that no password is looked at.
    const previews = yield* statuses(100, (person) => person.post("sign_ups/preview", { token: "x".repeat(43) }))
    assert.deepStrictEqual(previews, new Set([404]))
    // More than one person may be tried from everywhere.
    const refused = yield* statuses(201, (person) => person.post("session", credentials))
    assert.deepStrictEqual(refused, new Set([429]))
    const elsewhere = yield* Effect.promise(() => from("203.0.113.10").post("session", credentials))
    assert.strictEqual(elsewhere.status, 201)
  }),
)

it.live(
  "who has many networks of one site of IPv6 has tries of four of them, and takes none from the neighbours of one",
  () =>
    Effect.gen(function* () {
      const world = yield* start({ trust_proxy: true })
      const tries = (address: string, times: number) =>
        Effect.promise(async () => {
          const person = new Person(world.origin, { "x-forwarded-for": address })
          const one = async () => (await person.post("sign_ups/preview", { token: "x".repeat(43) })).status
          return new Set(await Promise.all(Array.from({ length: times }, one)))
        })
      // More than a network may, which is not counted for its site.
      assert.deepStrictEqual(yield* tries("2001:db8:1:1::1", 150), new Set([404, 429]))
      for (const network of [2, 3, 4]) {
        assert.deepStrictEqual(yield* tries(`2001:db8:1:${network}::1`, 100), new Set([404]))
      }
      assert.deepStrictEqual(yield* tries("2001:db8:1:5::1", 1), new Set([429]))
      assert.deepStrictEqual(yield* tries("2001:db8:2:1::1", 1), new Set([404]))
    }),
)
