/** Signing in and out, and what nobody can do without. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { invited, owner, PASSWORD, Person, start, stranger } from "./World.ts"

const credentials = { email: "ada@example.com", password: PASSWORD }
const codeOf = ({ status, body }: { readonly status: number; readonly body: { readonly code: string } }) => [
  status,
  body.code,
]

describe("a session", () => {
  it.live("is in a cookie that no script can read and no other site can have sent", () =>
    Effect.gen(function* () {
      const world = yield* start()
      yield* owner(world)
      const { headers, status } = yield* Effect.promise(() => new Person(world.origin).post("session", credentials))
      const [cookie = ""] = headers.getSetCookie()
      assert.strictEqual(status, 201)
      assert.match(cookie, /^tc_session=[A-Za-z0-9_-]{43}; /)
      for (const part of ["HttpOnly", "SameSite=Lax", "Path=/"]) assert.include(cookie, part)
      assert.notInclude(cookie, "Secure")
      assert.strictEqual(headers.get("cache-control"), "no-store")
    }),
  )

  it.live("is for this host and TLS alone where people reach the service so", () =>
    Effect.gen(function* () {
      const world = yield* start({ public_origin: "https://tc.example" })
      const person = new Person(world.origin, { origin: "https://tc.example" })
      const { headers } = yield* Effect.promise(() =>
        person.post("sign_ups", { token: world.token, name: "Ada", ...credentials }),
      )
      assert.match(headers.getSetCookie()[0] ?? "", /^__Host-tc_session=.*Secure/)
      assert.strictEqual((yield* Effect.promise(() => person.ask("session"))).status, 200)
    }),
  )

  it.live("ends for good when its owner signs out", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const person = yield* owner(world)
      const stolen = new Person(world.origin)
      for (const [name, value] of person.cookies) stolen.cookies.set(name, value)
      const statuses = yield* Effect.promise(
        async () =>
          [
            (await stolen.ask("session")).status,
            (await person.ask("session", { method: "DELETE" })).status,
            (await stolen.ask("session")).status,
            (await person.ask("session")).status,
          ] as const,
      )
      assert.deepStrictEqual([statuses, person.cookies.size], [[200, 204, 401, 401], 0])
    }),
  )

  it.live("stays alone when the password is changed", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const person = yield* owner(world)
      const other = new Person(world.origin)
      const change = { current: PASSWORD, password: "a much better password" }
      const answers = yield* Effect.promise(
        async () =>
          [
            await other.post("session", credentials),
            await person.post("session/password", { ...change, current: "not it at all" }),
            await person.post("session/password", change),
            await person.ask("session"),
            await other.ask("session"),
            await other.post("session", credentials),
            await other.post("session", { ...credentials, password: change.password }),
          ] as const,
      )
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [201, 422, 204, 200, 401, 401, 201],
      )
      assert.strictEqual(answers[1]?.body.errors[0].path, "/current")
    }),
  )

  it.live("ends when its member is removed", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const first = yield* owner(world)
      const grace = yield* invited(world, first, "developer", "grace@example.com")
      const [before, after] = yield* Effect.promise(async () => {
        const before = await grace.ask("session")
        await first.ask(`members/${before.body.member.id}`, { method: "DELETE" })
        return [before, await grace.ask("session")] as const
      })
      assert.deepStrictEqual([before.status, after.status], [200, 401])
    }),
  )
})

describe("signing in", () => {
  it.live("says the same of an address that nobody has and of a wrong password, after the same time", () =>
    Effect.gen(function* () {
      const world = yield* start()
      yield* owner(world)
      const timed = (email: string) =>
        Effect.promise(async () => {
          const began = performance.now()
          const { request_id: _, ...body } = (
            await new Person(world.origin).post("session", { email, password: "wrong" })
          ).body
          return { body, ms: performance.now() - began }
        })
      yield* timed(credentials.email)
      const known = yield* timed(credentials.email)
      const unknown = yield* timed("nobody@example.com")
      assert.deepStrictEqual(known.body, unknown.body)
      // A look-up takes a few milliseconds, a hash a hundred.
      assert.isAbove(unknown.ms, known.ms / 3)
      assert.isBelow(unknown.ms, known.ms * 3)
    }),
  )

  it.live("is refused after twenty tries for one person, right ones too, and says when to come back", () =>
    Effect.gen(function* () {
      const world = yield* start()
      yield* owner(world)
      const tried = yield* Effect.promise(() =>
        Promise.all(
          Array.from({ length: 20 }, () =>
            new Person(world.origin).post("session", { ...credentials, password: "wrong" }),
          ),
        ),
      )
      const late = yield* Effect.promise(() => new Person(world.origin).post("session", credentials))
      assert.deepStrictEqual(new Set(tried.map(({ status }) => status)), new Set([401]))
      assert.deepStrictEqual(codeOf(late), [429, "too_many_tries"])
      const seconds = Number(late.headers.get("retry-after"))
      assert.isTrue(seconds > 0 && seconds <= 900, `${seconds}`)
    }),
  )

  it.live("is not counted anew for who may sign in elsewhere under the same address", () =>
    Effect.gen(function* () {
      const world = yield* start()
      yield* owner(world)
      const eve = yield* stranger(world)
      yield* invited(world, eve, "viewer", credentials.email)
      const post = (fields: object) =>
        Effect.promise(() => new Person(world.origin).post("session", { ...credentials, ...fields }))
      for (let tries = 0; tries < 10; tries++) yield* post({ password: "wrong" })
      assert.strictEqual((yield* post({ account: "Elsewhere" })).status, 201)
      for (let tries = 0; tries < 9; tries++) yield* post({ password: "wrong" })
      assert.strictEqual((yield* post({})).status, 429)
    }),
  )

  it.live("with a password that nobody can have, or more than there is to say, is refused at once", () =>
    Effect.gen(function* () {
      const { origin } = yield* start()
      const { long, large } = yield* Effect.promise(async () => ({
        long: await new Person(origin).post("session", { ...credentials, password: "\u0301".repeat(500) }),
        large: await new Person(origin).post("session", { ...credentials, password: "x".repeat(70_000) }),
      }))
      assert.deepStrictEqual([long.status, long.body.errors[0].path], [422, "/password"])
      assert.deepStrictEqual(
        [...codeOf(large), large.headers.get("cache-control")],
        [413, "payload_too_large", "no-store"],
      )
    }),
  )

  it.live("into one of several accounts needs its name", () =>
    Effect.gen(function* () {
      const world = yield* start()
      yield* owner(world)
      const eve = yield* stranger(world)
      yield* invited(world, eve, "viewer", credentials.email)
      const accounts = yield* Effect.promise(() =>
        Promise.all(
          [{}, { account: "Elsewhere" }, { account: "Nowhere" }].map(async (fields) => {
            const { body } = await new Person(world.origin).post("session", { ...credentials, ...fields })
            return body.account?.name ?? body.code
          }),
        ),
      )
      assert.deepStrictEqual(accounts, ["default", "Elsewhere", "wrong_credentials"])
    }),
  )
})

const send = (headers: Readonly<Record<string, string>>, settings = {}) =>
  Effect.gen(function* () {
    const world = yield* start(settings)
    const person = yield* owner(world)
    const answer = yield* Effect.promise(() =>
      person.ask("api_keys", { method: "POST", body: { name: "Key", scopes: ["read"] }, headers }),
    )
    return answer.status === 201 ? 201 : codeOf(answer)
  })

describe("a request that changes something", () => {
  it.live("is refused from a page of another origin, and from none", () =>
    Effect.gen(function* () {
      const refused = [403, "cross_origin"]
      assert.deepStrictEqual(yield* send({ origin: "https://evil.example" }), refused)
      assert.deepStrictEqual(yield* send({ origin: "null" }), refused)
      assert.deepStrictEqual(yield* send({ "sec-fetch-site": "same-site" }), refused)
      assert.strictEqual(yield* send({ "sec-fetch-site": "same-origin" }), 201)
    }),
  )

  it.live("is refused without a session, as is all that shows anything", () =>
    Effect.gen(function* () {
      const { origin } = yield* start()
      const nobody = new Person(origin)
      const answers = yield* Effect.promise(
        async () =>
          [
            ...(await Promise.all(
              ["session", "members", "invitations", "audit", "api_keys"].map((path) => nobody.ask(path)),
            )),
            await nobody.post("api_keys", { name: "Key", scopes: ["read"] }),
          ] as const,
      )
      for (const answer of answers) assert.deepStrictEqual(codeOf(answer), [401, "not_signed_in"])
    }),
  )
})
