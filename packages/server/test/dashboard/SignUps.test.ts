/** How people come in: the first with the token from the log, the others by invitation. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as FirstMember from "../../src/dashboard/FirstMember.ts"
import { invited, owner, PASSWORD, Person, start, stranger } from "./World.ts"

const ada = { email: "Ada@Example.com", name: "Ada", password: PASSWORD }

describe("the first member", () => {
  it.live("comes in with the token that a start prints, as owner, and is signed in", () =>
    Effect.gen(function* () {
      const { origin, token } = yield* start()
      const person = new Person(origin)
      const { before, preview, signedUp, now, after } = yield* Effect.promise(async () => ({
        before: await person.ask("sign_ups"),
        preview: await person.post("sign_ups/preview", { token }),
        signedUp: await person.post("sign_ups", { token, ...ada }),
        now: await person.ask("session"),
        after: await person.ask("sign_ups"),
      }))
      assert.deepStrictEqual([before.body, after.body], [{ first: true }, { first: false }])
      assert.deepInclude(preview.body, { role: "owner", email: null })
      assert.deepStrictEqual([signedUp.status, signedUp.body.account.name], [201, "default"])
      assert.deepInclude(now.body.member, { email: "ada@example.com", name: "Ada", role: "owner" })
      assert.notProperty(now.body.member, "password_hash")
    }),
  )

  it.live("is one: the tokens of all starts are void once somebody is in", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const second = yield* Effect.provide(FirstMember.run(null), world.shared)
      yield* owner(world)
      const late = yield* Effect.promise(() => new Person(world.origin).post("sign_ups", { token: second, ...ada }))
      const third = yield* Effect.provide(FirstMember.run(null), world.shared)
      assert.deepStrictEqual([late.status, third], [404, null])
    }),
  )

  it.live("is the one whom the operator names, who keeps the password they choose later", () =>
    Effect.gen(function* () {
      const { origin, shared } = yield* start()
      const admin = { email: "ops@example.com", password: Redacted.make(PASSWORD) }
      assert.isNull(yield* Effect.provide(FirstMember.run(admin), shared))
      const person = new Person(origin)
      const again = { email: admin.email, password: "another one of mine" }
      const answers = yield* Effect.promise(
        async () =>
          [
            await person.post("session", { email: admin.email, password: PASSWORD }),
            await person.post("session/password", { current: PASSWORD, password: again.password }),
          ] as const,
      )
      yield* Effect.provide(FirstMember.run(admin), shared)
      const [old, chosen] = yield* Effect.promise(
        async () =>
          [
            await new Person(origin).post("session", { email: admin.email, password: PASSWORD }),
            await new Person(origin).post("session", again),
          ] as const,
      )
      assert.deepStrictEqual(
        [...answers, old, chosen].map(({ status }) => status),
        [201, 204, 401, 201],
      )
    }),
  )
})

const operators = { email: "ops@example.com", password: Redacted.make(PASSWORD) }

describe("whom the operator names", () => {
  it.live("does not come back with the next start once the others have removed them", () =>
    Effect.gen(function* () {
      const world = yield* start()
      yield* Effect.provide(FirstMember.run(operators), world.shared)
      const ops = new Person(world.origin)
      const credentials = { email: operators.email, password: PASSWORD }
      yield* Effect.promise(() => ops.post("session", credentials))
      const grace = yield* invited(world, ops, "owner", "grace@example.com")
      yield* Effect.promise(async () => {
        const { body } = await ops.ask("session")
        assert.strictEqual((await grace.ask(`members/${body.member.id}`, { method: "DELETE" })).status, 204)
      })
      yield* Effect.provide(FirstMember.run(operators), world.shared)
      const { body: members } = yield* Effect.promise(() => grace.ask("members"))
      assert.deepStrictEqual(
        members.data.map(({ email }: { readonly email: string }) => email),
        ["grace@example.com"],
      )
      assert.strictEqual((yield* Effect.promise(() => ops.post("session", credentials))).status, 401)
    }),
  )

  it.live("is one, of several processes that start at once with another name each", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const names = ["a", "b", "c"].map((name) => ({ ...operators, email: `${name}@example.com` }))
      yield* Effect.forEach(names, (admin) => Effect.provide(FirstMember.run(admin), world.shared), {
        concurrency: "unbounded",
      })
      const signedIn = yield* Effect.promise(() =>
        Promise.all(names.map(({ email }) => new Person(world.origin).post("session", { email, password: PASSWORD }))),
      )
      assert.lengthOf(
        signedIn.filter(({ status }) => status === 201),
        1,
      )
    }),
  )
})

describe("an invitation", () => {
  it.live("lets one person in, with its role, once", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const first = yield* owner(world)
      const { body } = yield* Effect.promise(() => first.post("invitations", { role: "viewer" }))
      const answers = yield* Effect.promise(() =>
        Promise.all(
          ["grace@example.com", "joan@example.com", "mary@example.com"].map((email) =>
            new Person(world.origin).post("sign_ups", { token: body.token, email, name: email, password: PASSWORD }),
          ),
        ),
      )
      assert.deepStrictEqual(
        answers.map(({ status }) => status).toSorted((a, b) => a - b),
        [201, 404, 404],
      )
      const { body: members } = yield* Effect.promise(() => first.ask("members"))
      assert.deepStrictEqual(
        members.data.map(({ role }: { readonly role: string }) => role),
        ["owner", "viewer"],
      )
    }),
  )

  it.live("is for the address it names", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const first = yield* owner(world)
      const [wrong, right] = yield* Effect.promise(async () => {
        const { body } = await first.post("invitations", { role: "developer", email: "Grace@example.com" })
        const accept = (email: string) =>
          new Person(world.origin).post("sign_ups", { token: body.token, email, name: "Grace", password: PASSWORD })
        return [await accept("eve@example.com"), await accept("grace@example.com")] as const
      })
      assert.deepStrictEqual([wrong.status, wrong.body.errors[0].path, right.status], [422, "/email", 201])
    }),
  )

  it.live("works no more once it is revoked, which is noted, and is listed until then, without its token", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const first = yield* owner(world)
      const [listed, preview, log] = yield* Effect.promise(async () => {
        const { body } = await first.post("invitations", { role: "developer" })
        const listed = await first.ask("invitations")
        await first.ask(`invitations/${body.id}`, { method: "DELETE" })
        const preview = await new Person(world.origin).post("sign_ups/preview", { token: body.token })
        return [listed, preview, await first.ask("audit?action=invitation.revoked")] as const
      })
      assert.lengthOf(listed.body.data, 1)
      assert.strictEqual(log.body.data[0].subject, "anybody with the link: developer")
      assert.notInclude(JSON.stringify(listed.body), "token")
      assert.strictEqual(preview.status, 404)
    }),
  )

  it.live("is refused for an address that is a member's, a name that is none, and a password that is too short", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const first = yield* owner(world)
      const [taken, poor] = yield* Effect.promise(async () => {
        const { body } = await first.post("invitations", { role: "developer" })
        const accept = (fields: object) =>
          new Person(world.origin).post("sign_ups", { token: body.token, ...ada, ...fields })
        return [await accept({}), await accept({ email: "grace@example.com", name: "", password: "short" })] as const
      })
      assert.deepStrictEqual([taken.status, taken.body.code], [409, "email_taken"])
      const paths = poor.body.errors.map(({ path }: { readonly path: string }) => path)
      assert.deepStrictEqual([poor.status, paths], [422, ["/name", "/password"]])
    }),
  )
})

it.live("people of two accounts see nothing of each other", () =>
  Effect.gen(function* () {
    const world = yield* start()
    const [ada, eve] = [yield* owner(world), yield* stranger(world)]
    const grace = yield* invited(world, ada, "viewer", "grace@example.com")
    yield* Effect.promise(async () => {
      const { body: key } = await ada.post("api_keys", { name: "Storefront", scopes: ["read"] })
      const { body: me } = await grace.ask("session")
      for (const path of ["members", "api_keys", "audit", "invitations"]) {
        const { body } = await eve.ask(path)
        assert.notInclude(JSON.stringify(body), "ada@example.com", path)
        assert.notInclude(JSON.stringify(body), key.id, path)
      }
      const tries = [
        await eve.ask(`members/${me.member.id}`, { method: "DELETE" }),
        await eve.ask(`members/${me.member.id}`, { method: "PATCH", body: { role: "owner" } }),
        await eve.post(`api_keys/${key.id}/revoke`),
        await eve.post(`api_keys/${key.id}/rotate`, { overlap_seconds: 0 }),
      ]
      assert.deepStrictEqual(
        tries.map(({ status }) => status),
        [404, 404, 404, 404],
      )
    })
  }),
)
