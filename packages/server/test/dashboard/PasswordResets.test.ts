/** Who has lost a password chooses another with a link that an owner makes. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { invited, owner, PASSWORD, Person, start, startSlow, stranger } from "./World.ts"

const CHOSEN = "a much better password"

it.live("a link lets its member choose another password, once, and ends their sessions and the old one", () =>
  Effect.gen(function* () {
    const world = yield* start()
    const ada = yield* owner(world)
    const grace = yield* invited(world, ada, "developer", "grace@example.com")
    const { offer, preview, chosen, statuses, log } = yield* Effect.promise(async () => {
      const { body: me } = await grace.ask("session")
      const offer = await ada.post(`members/${me.member.id}/password_reset`)
      const { token } = offer.body
      const person = new Person(world.origin)
      const preview = await person.post("password_resets/preview", { token })
      const chosen = await person.post("password_resets", { token, password: CHOSEN })
      const credentials = { email: "grace@example.com", password: PASSWORD }
      const statuses = [
        (await person.ask("session")).status,
        (await grace.ask("session")).status,
        (await new Person(world.origin).post("session", credentials)).status,
        (await new Person(world.origin).post("session", { ...credentials, password: CHOSEN })).status,
        (await person.post("password_resets", { token, password: CHOSEN })).status,
      ]
      const { body: log } = await ada.ask("audit?per_page=100")
      return { offer, preview, chosen, statuses, log }
    })
    assert.deepInclude(preview.body, { email: "grace@example.com", name: "grace@example.com" })
    assert.deepStrictEqual([offer.status, chosen.status, ...statuses], [201, 201, 200, 401, 401, 201, 404])
    const noted = log.data
      .filter(({ action }: { readonly action: string }) => action.startsWith("password."))
      .map(({ action, email, subject }: Readonly<Record<string, string>>) => [action, email, subject])
    assert.deepStrictEqual(noted, [
      ["password.reset", "grace@example.com", null],
      ["password.reset_offered", "ada@example.com", "grace@example.com"],
    ])
  }),
)

it.live("a link is made by owners alone, of their own account, and changes nothing by itself", () =>
  Effect.gen(function* () {
    const world = yield* start()
    const ada = yield* owner(world)
    const eve = yield* stranger(world)
    const grace = yield* invited(world, ada, "developer", "grace@example.com")
    const statuses = yield* Effect.promise(async () => {
      const { body: me } = await ada.ask("session")
      const path = `members/${me.member.id}/password_reset`
      return [
        (await grace.post(path)).status,
        (await eve.post(path)).status,
        (await ada.post(path)).status,
        (await ada.ask("session")).status,
        (await new Person(world.origin).post("password_resets", { token: "x".repeat(43), password: CHOSEN })).status,
      ]
    })
    assert.deepStrictEqual(statuses, [403, 404, 201, 200, 404])
  }),
)

it.live(
  "a password that is changed with the old one while a link is used does not replace the one that was chosen",
  () =>
    Effect.gen(function* () {
      const world = yield* startSlow()
      const ada = yield* owner(world)
      const { changed, statuses } = yield* Effect.promise(async () => {
        const { body: me } = await ada.ask("session")
        const { body: offer } = await ada.post(`members/${me.member.id}/password_reset`)
        const reset = new Person(world.origin).post("password_resets", { token: offer.token, password: CHOSEN })
        // It has two passwords to compute, and the link one: it has begun before the link is used, and is over after.
        const changed = await ada.post("session/password", { current: PASSWORD, password: "that of a thief" })
        const credentials = { email: "ada@example.com", password: CHOSEN }
        const statuses = [(await reset).status, (await new Person(world.origin).post("session", credentials)).status]
        return { changed: changed.status, statuses }
      })
      assert.deepStrictEqual([changed, ...statuses], [401, 201, 201])
    }),
)
