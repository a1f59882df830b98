/** Browsers in which somebody has signed in before: what others try, however many they are, keeps nobody out there. */
import { assert, describe, it } from "@effect/vitest"
import { Device } from "@tc/domain"
import { Effect } from "effect"
import { newToken } from "../../src/dashboard/SigningIn.ts"
import * as Scrypt from "../../src/node/Scrypt.ts"
import { invited, owner, PASSWORD, Person, start, startSlow, stranger } from "./World.ts"

type World = Effect.Success<ReturnType<typeof start>>

const credentials = { email: "ada@example.com", password: PASSWORD }
const wrong = { ...credentials, account: "default", password: "not this one" }

/** Somebody with nothing but these cookies of another. */
const withDevice = ({ origin }: World, { cookies }: Person, headers: Readonly<Record<string, string>> = {}) => {
  const person = new Person(origin, headers)
  for (const [name, value] of cookies) if (name.endsWith("tc_device")) person.cookies.set(name, value)
  return person
}

const statusOf = (person: Person, body: object = credentials) =>
  Effect.promise(async () => (await person.post("session", body)).status)

/** Uses up the tries that strangers have for a person from their address. */
const exhaust = ({ origin }: World, body: object = wrong) =>
  Effect.gen(function* () {
    const tried = yield* Effect.replicateEffect(statusOf(new Person(origin), body), 21)
    assert.strictEqual(tried.at(-1), 429)
  })

describe("a known device", () => {
  it.live("is in a cookie that no script can read, and that outlives the session", () =>
    Effect.gen(function* () {
      const world = yield* start()
      yield* owner(world)
      const person = new Person(world.origin)
      const { headers } = yield* Effect.promise(() => person.post("session", credentials))
      const cookie = headers.getSetCookie().find((line) => line.startsWith("tc_device=")) ?? ""
      for (const part of ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=15552000"]) assert.include(cookie, part)
      assert.notInclude(cookie, "ada")
      yield* Effect.promise(() => person.ask("session", { method: "DELETE" }))
      assert.deepStrictEqual([...person.cookies.keys()], ["tc_device"])
    }),
  )

  it.live("is for this host and TLS alone where people reach the service so", () =>
    Effect.gen(function* () {
      const world = yield* start({ public_origin: "https://tc.example" })
      const person = new Person(world.origin, { origin: "https://tc.example" })
      const { headers } = yield* Effect.promise(() =>
        person.post("sign_ups", { token: world.token, name: "Ada", ...credentials }),
      )
      assert.match(headers.getSetCookie()[1] ?? "", /^__Host-tc_device=.*Secure/)
    }),
  )

  it.live("lets its member in where strangers have tried too often for them, and nobody else", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const ada = yield* owner(world)
      const grace = yield* invited(world, ada, "viewer", "grace@example.com")
      yield* exhaust(world)
      assert.strictEqual(yield* statusOf(withDevice(world, grace)), 429)
      assert.strictEqual(yield* statusOf(withDevice(world, ada), wrong), 401)
      assert.strictEqual(yield* statusOf(withDevice(world, ada)), 201)
    }),
  )

  it.live("cannot be made for an address that nobody has", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const body = { ...wrong, email: "nobody@example.com" }
      yield* exhaust(world, body)
      const forger = new Person(world.origin)
      for (const email of ["", body.email]) {
        forger.cookies.set("tc_device", Device.make({ email, password_hash: "" }, newToken(), Date.now()))
        assert.strictEqual(yield* statusOf(forger, body), 429)
      }
    }),
  )

  it.live("has twenty tries of its own, from wherever they come", () =>
    Effect.gen(function* () {
      const world = yield* start({ trust_proxy: true })
      const ada = yield* owner(world)
      const from = (nth: number) => withDevice(world, ada, { "x-forwarded-for": `203.0.113.${nth}` })
      const tried = yield* Effect.forEach(Array.from({ length: 21 }), (_, nth) => statusOf(from(nth), wrong))
      assert.deepStrictEqual([...new Set(tried.slice(0, 20)), tried[20]], [401, 429])
    }),
  )

  it.live("is not kept out by those of who has the same address in another account", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const device = withDevice(world, yield* owner(world))
      yield* invited(world, yield* stranger(world), "viewer", credentials.email)
      const theirs = { ...credentials, account: "Elsewhere" }
      for (let nth = 0; nth < 6; nth++) {
        const person = new Person(world.origin)
        assert.strictEqual(yield* statusOf(person, theirs), 201)
        yield* Effect.replicateEffect(statusOf(withDevice(world, person), { ...theirs, password: "not it" }), 20, {
          concurrency: 4,
        })
      }
      assert.strictEqual(yield* statusOf(device, { ...credentials, account: "default" }), 201)
    }),
  )

  it.live("of one account gives no tries for who has the same address in another", () =>
    Effect.gen(function* () {
      const world = yield* start()
      yield* owner(world)
      const impostor = yield* invited(world, yield* stranger(world), "viewer", credentials.email)
      const password = "a password of their own"
      yield* Effect.promise(() => impostor.post("session/password", { current: PASSWORD, password }))
      assert.strictEqual(yield* statusOf(withDevice(world, impostor)), 201)
      yield* exhaust(world)
      assert.strictEqual(yield* statusOf(withDevice(world, impostor)), 401)
      assert.strictEqual(yield* statusOf(withDevice(world, impostor), { ...credentials, password }), 201)
    }),
  )

  it.live("is one no more when the password has changed, but where it was changed", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const ada = yield* owner(world)
      const before = withDevice(world, ada)
      const password = "a much better password"
      yield* Effect.promise(() => ada.post("session/password", { current: PASSWORD, password }))
      yield* exhaust(world)
      assert.strictEqual(yield* statusOf(before, { ...credentials, password }), 429)
      assert.strictEqual(yield* statusOf(withDevice(world, ada), { ...credentials, password }), 201)
    }),
  )
})

/** Tries with a wrong password, each from an address of its own, and how many were answered with each status. */
const flooding = ({ origin }: World) => {
  const answers: Record<number, number> = {}
  let addresses = 0
  const one = async (email: string): Promise<number> => {
    const nth = addresses++
    const person = new Person(origin, { "x-forwarded-for": `10.0.${nth >> 8}.${nth & 255}` })
    const { status } = await person.post("session", { ...wrong, email })
    answers[status] = (answers[status] ?? 0) + 1
    return status
  }
  return { answers, one }
}

describe("a flood from many addresses", () => {
  it.live("about one person keeps them out where they are strangers, and not where they are known", () =>
    Effect.gen(function* () {
      const world = yield* start({ trust_proxy: true })
      const device = withDevice(world, yield* owner(world))
      const { one } = flooding(world)
      const tried = yield* Effect.replicateEffect(
        Effect.promise(() => one(credentials.email)),
        201,
        { concurrency: 16 },
      )
      assert.include(tried, 429)
      const stranger = new Person(world.origin, { "x-forwarded-for": "203.0.113.9" })
      assert.strictEqual(yield* statusOf(stranger), 429)
      assert.strictEqual(yield* statusOf(device), 201)
    }),
  )

  it.live(
    "that takes every place in the line is passed by who is known, and soon",
    () =>
      Effect.gen(function* () {
        // So slow that what else a request takes counts for little, whatever the machine does beside it.
        const cost = { ln: 14, r: 8, p: 1 }
        const world = yield* Effect.provideService(startSlow({ trust_proxy: true }), Scrypt.ScryptCost, cost)
        const device = withDevice(world, yield* owner(world))
        const { answers, one } = flooding(world)
        const { promise: isFull, resolve } = Promise.withResolvers<void>()
        const ended = new AbortController()
        const flood = async (_: unknown, nth: number) => {
          while (!ended.signal.aborted) if ((await one(`${nth}@example.com`)) === 503) resolve()
        }
        const floods = Promise.all(Array.from({ length: 40 }, flood))
        yield* Effect.promise(() => isFull)
        const before = answers[401] ?? 0
        assert.strictEqual(yield* statusOf(device), 201)
        // Of the 32 who stood in the line already, most stand there yet.
        assert.isBelow((answers[401] ?? 0) - before, 16)
        ended.abort()
        yield* Effect.promise(() => floods)
      }),
    60_000,
  )
})
