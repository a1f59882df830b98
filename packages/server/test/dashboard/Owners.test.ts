/** Who is an owner no more does nothing that owners do, whatever was asked for before. */
import { assert, it } from "@effect/vitest"
import { type Id, type Member } from "@tc/domain"
import { layerMemory, Members, Sessions } from "@tc/store"
import { Effect, Layer } from "effect"
import { invited, owner, receivers, start } from "./World.ts"

/** A storage in which a member has another role from just after their next session was looked at. */
const losing = () => {
  const state: { next: Pick<Member.Member, "account_id" | "id"> | null } = { next: null }
  const layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const { setRole } = yield* Members
      const find = Effect.fnUntraced(function* (token_hash: string) {
        const found = yield* sessions.find(token_hash)
        if (state.next === null || found?.member.id !== state.next.id) return found
        const { account_id, id } = state.next
        state.next = null
        yield* Effect.orDie(setRole(account_id, id, "viewer"))
        return found
      })
      return { ...sessions, find }
    }),
  ).pipe(Layer.provideMerge(layerMemory))
  return { state, layer }
}

it.live("what an owner has asked for is refused where they lose the role before it is done", () =>
  Effect.gen(function* () {
    const { state, layer } = losing()
    const world = yield* start({}, receivers().layer, {}, layer)
    const ada = yield* owner(world)
    const bob = yield* invited(world, ada, "owner", "bob@example.com")
    const { statuses, members, invitations } = yield* Effect.promise(async () => {
      const { body: me } = await ada.ask("session")
      const { body: him } = await bob.ask("session")
      const { body: open } = await ada.post("invitations", { role: "viewer" })
      const ids: ReadonlyArray<Id.MemberId> = [me.member.id, him.member.id]
      const asked = [
        ["POST", `members/${ids[0]}/password_reset`],
        ["POST", "invitations", { role: "owner" }],
        ["PATCH", `members/${ids[1]}`, { role: "owner" }],
        ["DELETE", `members/${ids[1]}`],
        ["DELETE", `invitations/${open.id}`],
      ] as const
      const statuses: Array<number> = []
      for (const [method, path, body] of asked) {
        await ada.ask(`members/${ids[1]}`, { method: "PATCH", body: { role: "owner" } })
        state.next = him.member
        statuses.push((await bob.ask(path, { method, ...(body === undefined ? {} : { body }) })).status)
      }
      const { body: members } = await ada.ask("members")
      const { body: invitations } = await ada.ask("invitations")
      return { statuses, members, invitations }
    })
    assert.deepStrictEqual(statuses, [403, 403, 403, 403, 403])
    assert.deepStrictEqual(
      members.data.map(({ role }: Member.Member) => role),
      ["owner", "viewer"],
    )
    assert.lengthOf(invitations.data, 1)
  }),
)
