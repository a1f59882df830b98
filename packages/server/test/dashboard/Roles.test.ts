/** What each role may do, and that all of it is noted. */
import { assert, describe, it } from "@effect/vitest"
import { Limits } from "@tc/domain"
import { Effect } from "effect"
import { once } from "node:events"
import { request } from "node:http"
import { invited, key as keyOf, owner, type Person, start, takes } from "./World.ts"

const NOBODY = "0198a3f0-7c1e-7b6a-9d55-000000000001"

/** One request of each kind; those that name nothing are refused with 404 once the role is enough. */
const requests = (person: Person) => ({
  "see keys": () => person.ask("api_keys"),
  "see members": () => person.ask("members"),
  "see the log": () => person.ask("audit"),
  "create a key": () => person.post("api_keys", { name: "Key", scopes: ["read"] }),
  "revoke a key": () => person.post(`api_keys/${NOBODY}/revoke`),
  "see invitations": () => person.ask("invitations"),
  invite: () => person.post("invitations", { role: "viewer" }),
  "change a role": () => person.ask(`members/${NOBODY}`, { method: "PATCH", body: { role: "viewer" } }),
  "remove a member": () => person.ask(`members/${NOBODY}`, { method: "DELETE" }),
})

const allowed = async (person: Person): Promise<ReadonlyArray<string>> => {
  const names: Array<string> = []
  for (const [name, ask] of Object.entries(requests(person))) {
    const { status, body } = await ask()
    if (status !== 403) names.push(name)
    else assert.strictEqual(body.code, "insufficient_role")
  }
  return names
}

const setRole = (by: Person, id: string, role: string) => by.ask(`members/${id}`, { method: "PATCH", body: { role } })

describe("a role", () => {
  it.live("says what a member may do", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const ada = yield* owner(world)
      const [developer, viewer] = [
        yield* invited(world, ada, "developer", "grace@example.com"),
        yield* invited(world, ada, "viewer", "joan@example.com"),
      ]
      const seeing = ["see keys", "see members", "see the log"]
      const working = [...seeing, "create a key", "revoke a key"]
      assert.deepStrictEqual(yield* Effect.promise(() => allowed(viewer)), seeing)
      assert.deepStrictEqual(yield* Effect.promise(() => allowed(developer)), working)
      assert.deepStrictEqual(yield* Effect.promise(() => allowed(ada)), Object.keys(requests(ada)))
    }),
  )

  it.live("is changed with effect on the sessions that there are, and one owner stays", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const ada = yield* owner(world)
      const grace = yield* invited(world, ada, "viewer", "grace@example.com")
      const answers = yield* Effect.promise(async () => {
        const { body: me } = await ada.ask("session")
        const { body: her } = await grace.ask("session")
        return [
          await setRole(ada, me.member.id, "viewer"),
          await ada.ask(`members/${me.member.id}`, { method: "DELETE" }),
          await grace.post("invitations", { role: "viewer" }),
          await setRole(ada, her.member.id, "owner"),
          await grace.post("invitations", { role: "viewer" }),
          await setRole(grace, me.member.id, "viewer"),
          await ada.post("invitations", { role: "viewer" }),
        ]
      })
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [409, 409, 403, 200, 201, 200, 403],
      )
      assert.strictEqual(answers[0]?.body.code, "last_owner")
    }),
  )
})

it.live("a body that is held back is judged by what its sender is when it ends", () =>
  Effect.gen(function* () {
    const world = yield* start()
    const ada = yield* owner(world)
    const grace = yield* invited(world, ada, "owner", "grace@example.com")
    const status = yield* Effect.promise(async () => {
      const body = JSON.stringify({ role: "owner" })
      const cookie = [...grace.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
      const held = request(`${world.origin}/dashboard/api/v1/invitations`, {
        method: "POST",
        headers: { "content-type": "application/json", "content-length": body.length, origin: world.origin, cookie },
      })
      const answered = once(held, "response")
      held.write(body.slice(0, -1))
      const { body: me } = await grace.ask("session")
      await ada.ask(`members/${me.member.id}`, { method: "DELETE" })
      held.end(body.slice(-1))
      const [response] = await answered
      response.resume()
      return response.statusCode
    })
    assert.strictEqual(status, 401)
  }),
)

describe("a key", () => {
  it.live("is shown once, works at once, and is recognised by its prefix", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const ada = yield* owner(world)
      const [made, listed] = yield* Effect.promise(
        async () =>
          [
            await ada.post("api_keys", { name: "Storefront", scopes: ["read"], expires_at: "2099-01-01T00:00:00Z" }),
            await ada.ask("api_keys"),
          ] as const,
      )
      assert.strictEqual(made.status, 201)
      assert.match(made.body.key, /^tc_[0-9a-f]{64}$/)
      assert.strictEqual(listed.body.data[0].prefix, made.body.key.slice(3, 11))
      assert.notInclude(JSON.stringify(listed.body), made.body.key)
      assert.strictEqual(yield* takes(world, made.body.key), 200)
    }),
  )

  it.live("that is one too many is refused until another is revoked, and the others are listed in pages", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const ada = yield* owner(world)
      const kept = yield* Effect.replicateEffect(keyOf(world), Limits.API_KEYS_MAX)
      const { body: page } = yield* Effect.promise(() => ada.ask("api_keys?page=4&per_page=30"))
      assert.lengthOf(page.data, 10)
      assert.deepStrictEqual(page.meta, { page: 4, per_page: 30, total: 100, total_pages: 4 })
      const create = () => ada.post("api_keys", { name: "Key", scopes: ["read"] })
      const refused = yield* Effect.promise(async () => [
        await create(),
        await ada.post(`api_keys/${kept[0]?.id}/rotate`, { overlap_seconds: 60 }),
      ])
      assert.deepStrictEqual(
        refused.map(({ status, body }) => [status, body.code]),
        [
          [409, "too_many_api_keys"],
          [409, "too_many_api_keys"],
        ],
      )
      yield* Effect.promise(() => ada.post(`api_keys/${kept[0]?.id}/revoke`))
      assert.strictEqual((yield* Effect.promise(create)).status, 201)
    }),
  )

  it.live("is refused from the moment it is revoked", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const ada = yield* owner(world)
      const { id, key } = yield* keyOf(world)
      assert.strictEqual(yield* takes(world, key), 200)
      const revoked = yield* Effect.promise(() => ada.post(`api_keys/${id}/revoke`))
      assert.isString(revoked.body.revoked_at)
      assert.strictEqual(yield* takes(world, key), 401)
      const rotated = yield* Effect.promise(() => ada.post(`api_keys/${id}/rotate`, { overlap_seconds: 60 }))
      assert.deepStrictEqual([rotated.status, rotated.body.code], [409, "key_not_active"])
    }),
  )

  it.live("is replaced by another with its name and scopes, and works on for the overlap alone", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const ada = yield* owner(world)
      const [first, second] = [yield* keyOf(world), yield* keyOf(world)]
      const [late, soon] = yield* Effect.promise(
        async () =>
          [
            await ada.post(`api_keys/${first.id}/rotate`, { overlap_seconds: 3_600 }),
            await ada.post(`api_keys/${second.id}/rotate`, { overlap_seconds: 0 }),
          ] as const,
      )
      assert.deepInclude(late.body, { name: "Other", scopes: ["read"], expires_at: null })
      const taken = yield* Effect.forEach([first.key, late.body.key, second.key, soon.body.key], (key) =>
        takes(world, key),
      )
      assert.deepStrictEqual(taken, [200, 200, 401, 200])
    }),
  )

  it.live("with a time in the past, or without scopes, is refused", () =>
    Effect.gen(function* () {
      const ada = yield* owner(yield* start())
      const answers = yield* Effect.promise(
        async () =>
          [
            await ada.post("api_keys", { name: "Key", scopes: ["read"], expires_at: "2020-01-01T00:00:00Z" }),
            await ada.post("api_keys", { name: "Key", scopes: [] }),
          ] as const,
      )
      assert.deepStrictEqual(
        answers.map(({ status, body }) => [status, body.errors[0].path]),
        [
          [422, "/expires_at"],
          [422, "/scopes"],
        ],
      )
    }),
  )
})

it.live("what people do is noted: who, what, to what", () =>
  Effect.gen(function* () {
    const world = yield* start()
    const ada = yield* owner(world)
    const grace = yield* invited(world, ada, "developer", "grace@example.com")
    const log = yield* Effect.promise(async () => {
      const { body } = await grace.post("api_keys", { name: "Storefront", scopes: ["read"] })
      await grace.post(`api_keys/${body.id}/revoke`)
      return (await ada.ask("audit")).body
    })
    assert.deepStrictEqual(
      log.data.map(({ email, action, subject }: Readonly<Record<string, string>>) => [email, action, subject]),
      [
        ["grace@example.com", "api_key.revoked", "Storefront"],
        ["grace@example.com", "api_key.created", "Storefront"],
        ["grace@example.com", "member.joined", "default"],
        ["ada@example.com", "member.invited", "anybody with the link: developer"],
        ["ada@example.com", "member.joined", "default"],
      ],
    )
    const { body: filtered } = yield* Effect.promise(() => ada.ask("audit?action=api_key.revoked"))
    assert.strictEqual(filtered.meta.total, 1)
  }),
)
