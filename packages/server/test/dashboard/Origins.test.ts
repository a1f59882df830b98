/** What changes something comes from a page of this service, and from somebody who is signed in. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { owner, Person, start } from "./World.ts"

const codeOf = ({ status, body }: { readonly status: number; readonly body: { readonly code: string } }) => [
  status,
  body.code,
]

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
