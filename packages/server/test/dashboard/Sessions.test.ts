/** Signing in and out, and what nobody can do without. */
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import crypto from "node:crypto"
import { syncBuiltinESMExports } from "node:module"
import { invited, owner, PASSWORD, Person, start, startSlow, stranger } from "./World.ts"

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
      assert.deepStrictEqual(statuses, [200, 204, 401, 401])
      assert.isFalse(person.cookies.has("tc_session"))
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
            await person.post("session/password", { ...change, password: PASSWORD }),
            await person.post("session/password", change),
            await person.ask("session"),
            await other.ask("session"),
            await other.post("session", credentials),
            await other.post("session", { ...credentials, password: change.password }),
          ] as const,
      )
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [201, 422, 422, 204, 200, 401, 401, 201],
      )
      assert.deepStrictEqual(
        answers.slice(1, 3).map(({ body }) => body.errors[0].path),
        ["/current", "/password"],
      )
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
  it.live("says the same of an address that nobody has and of a wrong password, after the same work", () =>
    Effect.gen(function* () {
      const scrypt = vi.spyOn(crypto, "scrypt")
      syncBuiltinESMExports()
      yield* Effect.addFinalizer(() => Effect.sync(() => (scrypt.mockRestore(), syncBuiltinESMExports())))
      const world = yield* startSlow()
      yield* owner(world)
      const tried = (email: string) =>
        Effect.promise(async () => {
          scrypt.mockClear()
          const { body } = await new Person(world.origin).post("session", { email, password: "wrong" })
          const { request_id: _, ...said } = body
          // All else is a look-up: each hash takes a hundred times as long.
          const hashes = scrypt.mock.calls.map(([password, , bytes, options]) => ({ password, bytes, options }))
          return { said, hashes }
        })
      const known = yield* tried(credentials.email)
      const unknown = yield* tried("nobody@example.com")
      assert.deepStrictEqual(known, unknown)
      assert.lengthOf(known.hashes, 3)
    }),
  )

  it.live("is refused after twenty tries for one person, right ones too, and says when to come back", () =>
    Effect.gen(function* () {
      const world = yield* start()
      yield* owner(world)
      const tried = yield* Effect.promise(() =>
        Promise.all(
          Array.from({ length: 20 }, () =>
            // One hash for each, as an account is named.
            new Person(world.origin).post("session", { ...credentials, account: "default", password: "wrong" }),
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
      for (let tries = 0; tries < 10; tries++) yield* post({ account: "default", password: "wrong" })
      assert.strictEqual((yield* post({ account: "Elsewhere" })).status, 201)
      for (let tries = 0; tries < 9; tries++) yield* post({ account: "default", password: "wrong" })
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

  it.live("with more than there is to say is refused however the path is written", () =>
    Effect.gen(function* () {
      const { origin } = yield* start()
      const paths = ["/%64ashboard/api/v1/session", "//dashboard//api/v1/session", "/DASHBOARD/api/v1/session"]
      const body = JSON.stringify({ ...credentials, password: "x".repeat(70_000) })
      const headers = { origin, "content-type": "application/json" }
      const answers = yield* Effect.promise(() =>
        Promise.all(paths.map((path) => fetch(`${origin}${path}`, { method: "POST", headers, body }))),
      )
      assert.deepStrictEqual(
        answers.map(({ status, headers }) => [status, headers.get("cache-control")]),
        paths.map(() => [413, "no-store"]),
      )
    }),
  )

  it.live("into one of several accounts, all with the password given, needs the name of one that is told then", () =>
    Effect.gen(function* () {
      const world = yield* start()
      yield* owner(world)
      const eve = yield* stranger(world)
      yield* invited(world, eve, "viewer", credentials.email)
      const answers = yield* Effect.promise(() =>
        Promise.all(
          [{}, { account: "Elsewhere" }, { account: "Nowhere" }, { password: "wrong" }].map((fields) =>
            new Person(world.origin).post("session", { ...credentials, ...fields }),
          ),
        ),
      )
      const [choice, named, nowhere, wrong] = answers
      const names = choice?.body.accounts.map(({ name }: { readonly name: string }) => name)
      assert.deepStrictEqual(
        [choice?.status, names, choice?.headers.getSetCookie()],
        [200, ["default", "Elsewhere"], []],
      )
      assert.deepStrictEqual([named?.status, named?.body.account.name], [201, "Elsewhere"])
      for (const answer of [nowhere, wrong]) {
        assert.deepStrictEqual([answer?.status, answer?.body.code], [401, "wrong_credentials"])
        assert.notProperty(answer?.body, "accounts")
      }
    }),
  )

  it.live("leads into the account whose password it is, where an address is in several with other passwords", () =>
    Effect.gen(function* () {
      const world = yield* start()
      yield* owner(world)
      const eve = yield* stranger(world)
      const other = yield* invited(world, eve, "viewer", credentials.email)
      const password = "a much better password"
      const names = yield* Effect.promise(async () => {
        await other.post("session/password", { current: PASSWORD, password })
        const [first, second] = [new Person(world.origin), new Person(world.origin)]
        return [
          (await first.post("session", credentials)).body.account.name,
          (await second.post("session", { ...credentials, password })).body.account.name,
        ]
      })
      assert.deepStrictEqual(names, ["default", "Elsewhere"])
    }),
  )
})
