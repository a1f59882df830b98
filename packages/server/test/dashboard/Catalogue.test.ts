/** The account's records as members look at them: pages of summaries, and each as a whole. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { invited, key as keyOf, owner, start, stranger } from "./World.ts"

type World = Effect.Success<ReturnType<typeof start>>

const paths = ["stores", "products", "print_areas", "templates", "designs", "assets"]
const canvas_data = { version: "7.4.0", objects: [{ type: "Rect", note: "on the canvas" }] }

/** Creates a record through the REST API, as a program does. */
const creating = (world: World) =>
  Effect.map(keyOf(world, ["read", "write"]), ({ key }) => async (path: string, body: object) => {
    const response = await fetch(`${world.origin}/api/v1/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key },
      body: JSON.stringify(body),
    })
    return (await response.json()) as { readonly id: string }
  })

/** One record of each kind, by the path of its kind. */
const shop = (world: World) =>
  Effect.flatMap(creating(world), (create) =>
    Effect.promise(async (): Promise<Readonly<Record<string, { readonly id: string }>>> => {
      const stores = await create("stores", { name: "Riverside", platform: "swell" })
      const products = await create("products", { name: "Tee", store_id: stores.id, variants: [{ size: "M" }] })
      const print_areas = await create(`products/${products.id}/print_areas`, {
        name: "Front",
        width_px: 300,
        height_px: 400,
      })
      const templates = await create("templates", { name: "Birthday", store_id: stores.id, canvas_data })
      const designs = await create("designs", { product_id: products.id, canvas_data, metadata: { gift: true } })
      const assets = await create("assets", { name: "Star", asset_type: "clipart", metadata: { points: 5 } })
      return { stores, products, print_areas, templates, designs, assets }
    }),
  )

describe("the catalogue", () => {
  it.live("is for members of every role, and shows records as the REST API does", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const made = yield* shop(world)
      const ada = yield* owner(world)
      const grace = yield* invited(world, ada, "developer", "grace@example.com")
      const joan = yield* invited(world, ada, "viewer", "joan@example.com")
      for (const person of [ada, grace, joan]) {
        for (const path of paths) {
          const listed = yield* Effect.promise(() => person.ask(path))
          const one = yield* Effect.promise(() => person.ask(`${path}/${made[path]?.id}`))
          assert.deepStrictEqual(one.body, made[path])
          assert.deepStrictEqual([listed.status, listed.body.meta.total], [200, 1])
          assert.strictEqual(listed.body.data[0].id, made[path]?.id)
        }
      }
    }),
  )

  it.live("leaves out of its lists what is large", () =>
    Effect.gen(function* () {
      const world = yield* start()
      yield* shop(world)
      const ada = yield* owner(world)
      const keys = (path: string) => Effect.promise(async () => Object.keys((await ada.ask(path)).body.data[0]))
      assert.notIncludeMembers(yield* keys("designs"), ["canvas_data", "metadata"])
      assert.include(yield* keys("designs"), "preview_url")
      assert.notIncludeMembers(yield* keys("templates"), ["canvas_data", "description"])
      assert.notIncludeMembers(yield* keys("products"), ["variants", "description"])
      assert.notIncludeMembers(yield* keys("assets"), ["metadata"])
    }),
  )

  it.live("shows nothing of another account, nothing without a session, and changes nothing", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const made = yield* shop(world)
      const ada = yield* owner(world)
      const eve = yield* stranger(world)
      for (const path of paths) {
        const address = `${path}/${made[path]?.id}`
        const answers = yield* Effect.promise(async () => [
          (await eve.ask(address)).status,
          (await eve.ask(path)).body.meta.total,
          (await fetch(`${world.origin}/dashboard/api/v1/${address}`)).status,
          (await ada.ask(address, { method: "DELETE" })).status,
        ])
        assert.deepStrictEqual(answers, [404, 0, 401, 405])
      }
    }),
  )

  it.live("tells what led to a record, newest first", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const made = yield* shop(world)
      const create = yield* creating(world)
      const ada = yield* owner(world)
      const eve = yield* stranger(world)
      yield* Effect.promise(() => create(`designs/${made["designs"]?.id}/finalize`, {}))
      const [all, second, asset, elsewhere] = yield* Effect.promise(() =>
        Promise.all([
          ada.ask(`designs/${made["designs"]?.id}/events`),
          ada.ask(`designs/${made["designs"]?.id}/events?per_page=1&page=2`),
          ada.ask(`assets/${made["assets"]?.id}/events`),
          eve.ask(`designs/${made["designs"]?.id}/events`),
        ]),
      )
      const events = ({ body }: typeof all) => body.data.map(({ event }: { readonly event: string }) => event)
      assert.deepStrictEqual(events(all), ["design.finalized", "design.created"])
      assert.deepStrictEqual(second.body.meta, { page: 2, per_page: 1, total: 2, total_pages: 2 })
      assert.deepStrictEqual(events(second), ["design.created"])
      assert.deepStrictEqual(events(asset), ["asset.created"])
      assert.strictEqual(elsewhere.status, 404)
      assert.notProperty(all.body.data[0], "data")
    }),
  )

  it.live("is searched, narrowed by what records refer to and how they stand, and paged", () =>
    Effect.gen(function* () {
      const world = yield* start()
      const create = yield* creating(world)
      const made = yield* shop(world)
      const ada = yield* owner(world)
      const other = yield* Effect.promise(async () => {
        const { id: store_id } = await create("stores", { name: "Elsewhere", platform: "swell" })
        const { id: product_id } = await create("products", { name: "Mug", store_id })
        await create("designs", { product_id, status: "finalized" })
        await create("assets", { name: "Serif", asset_type: "font" })
        return { store_id, product_id }
      })
      const totals = (...queries: ReadonlyArray<string>) =>
        Effect.promise(() => Promise.all(queries.map(async (query) => (await ada.ask(query)).body.meta.total)))
      assert.deepStrictEqual(
        yield* totals(
          "products?q=MU",
          "products?q=nothing",
          `products?store_id=${other.store_id}`,
          `print_areas?product_id=${other.product_id}`,
          `print_areas?product_id=${made["products"]?.id}`,
          "designs?status=finalized",
          `designs?product_id=${other.product_id}&status=draft`,
          `designs?store_id=${other.store_id.toUpperCase()}`,
          "assets?asset_type=font&q=ser",
          "stores?connection_status=connected",
          `templates?store_id=${other.store_id}`,
        ),
        [1, 0, 1, 0, 1, 1, 0, 1, 1, 0, 0],
      )
      const [second, wrong] = yield* Effect.promise(() =>
        Promise.all([ada.ask("products?per_page=1&page=2"), ada.ask("designs?status=lost&product_id=x")]),
      )
      assert.deepStrictEqual(second.body.meta, { page: 2, per_page: 1, total: 2, total_pages: 2 })
      assert.strictEqual(second.body.data[0].name, "Tee")
      assert.strictEqual(wrong.status, 422)
    }),
  )
})
