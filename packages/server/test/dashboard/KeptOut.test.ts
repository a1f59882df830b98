/** Who was refused to sign in is in the audit log of the account that they wanted to enter, so often and no more. */
import { assert, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { invited, owner, PASSWORD, Person, start, stranger } from "./World.ts"

type World = Effect.Success<ReturnType<typeof start>>

const credentials = { email: "ada@example.com", password: "not this one" }

const tryIn = ({ origin }: World, fields: object = {}) =>
  Effect.promise(() => new Person(origin).post("session", { ...credentials, ...fields }))

/** What is noted of who did not get in, once it is as much as is to come. */
const noted = (person: Person, count: number) =>
  Effect.promise(async () => {
    const { body } = await person.ask("audit?per_page=100")
    const entries: ReadonlyArray<Readonly<Record<string, string | null>>> = body.data
    return entries
      .filter(({ action }) => action === "session.refused" || action === "session.throttled")
      .map(({ action, email, subject }) => [action, email, subject])
  }).pipe(Effect.repeat({ until: ({ length }) => length >= count, schedule: Schedule.spaced("20 millis") }))

const refused = ["session.refused", null, "ada@example.com, from 127.0.0.1"]
const throttled = ["session.throttled", null, "ada@example.com, from 127.0.0.1"]

it.live("a wrong password is noted in the account of the member whose it should be, and in no other", () =>
  Effect.gen(function* () {
    const world = yield* start()
    const [ada, eve] = [yield* owner(world), yield* stranger(world)]
    yield* tryIn(world)
    yield* tryIn(world, { email: "eve@example.com" })
    assert.deepStrictEqual(yield* noted(eve, 1), [["session.refused", null, "eve@example.com, from 127.0.0.1"]])
    assert.deepStrictEqual(yield* noted(ada, 1), [refused])
  }),
)

it.live("an address that nobody has in an account is noted nowhere, and a right password is no wrong one", () =>
  Effect.gen(function* () {
    const world = yield* start()
    const ada = yield* owner(world)
    yield* stranger(world)
    yield* tryIn(world, { email: "nobody@example.com" })
    yield* tryIn(world, { account: "Elsewhere" })
    yield* tryIn(world, { account: "Nowhere" })
    yield* tryIn(world, { password: PASSWORD })
    // What was asked later is noted later.
    yield* tryIn(world)
    assert.deepStrictEqual(yield* noted(ada, 1), [refused])
  }),
)

it.live("of a person's tries ten are noted, and once that there were too many, however many come", () =>
  Effect.gen(function* () {
    const world = yield* start()
    const ada = yield* owner(world)
    const grace = yield* invited(world, ada, "viewer", "grace@example.com")
    yield* Effect.replicateEffect(tryIn(world, { account: "default" }), 25, { concurrency: 2 })
    yield* tryIn(world, { email: "grace@example.com" })
    const all = yield* noted(grace, 12)
    const count = (sought: ReadonlyArray<unknown>) => all.filter((entry) => entry.join() === sought.join()).length
    assert.deepStrictEqual([all.length, count(refused), count(throttled)], [12, 10, 1])
  }),
)
