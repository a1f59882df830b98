/** What holds of every operation of the dashboard's API, those included that will be added to its contract. */
import { assert, it } from "@effect/vitest"
import { Dashboard } from "@tc/api"
import { Effect } from "effect"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { invited, owner, Person, start } from "./World.ts"

const NOBODY = "0198a3f0-7c1e-7b6a-9d55-000000000001"

interface Operation {
  readonly method: string
  readonly path: string
}

const operations: Array<Operation> = []
HttpApi.reflect(Dashboard.Dashboard, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { method, path } }: { readonly endpoint: HttpApiEndpoint.Top }) => {
    operations.push({
      method,
      path: path
        .slice(Dashboard.PREFIX.length + 1)
        .replace(":id", NOBODY)
        .replace(/\/$/, ""),
    })
  },
})

/** The operations that are not answered with a status. */
const without = async (person: Person, asked: ReadonlyArray<Operation>, status: number) => {
  const names: Array<string> = []
  for (const { method, path } of asked) {
    const answer = await person.ask(path, { method, ...(method === "GET" ? {} : { body: {} }) })
    if (answer.status !== status) names.push(`${method} ${path}`)
  }
  return names
}

it.live("everything but coming in is refused to who is not signed in", () =>
  Effect.gen(function* () {
    const world = yield* start()
    assert.deepStrictEqual(yield* Effect.promise(() => without(new Person(world.origin), operations, 401)), [
      "GET sign_ups",
      "POST sign_ups/preview",
      "POST sign_ups",
      "POST password_resets/preview",
      "POST password_resets",
      "POST session",
    ])
  }),
)

it.live("whatever changes something is refused to a viewer, but what is about themselves", () =>
  Effect.gen(function* () {
    const world = yield* start()
    const viewer = yield* invited(world, yield* owner(world), "viewer", "joan@example.com")
    const changing = operations.filter(
      ({ method, path }) => method !== "GET" && !/^(sign_ups|password_resets)/.test(path),
    )
    // Signing out comes last.
    const asked = [...changing.filter(({ path }) => path !== "session"), { method: "DELETE", path: "session" }]
    assert.deepStrictEqual(yield* Effect.promise(() => without(viewer, asked, 403)), [
      "POST session/password",
      "DELETE session",
    ])
  }),
)
