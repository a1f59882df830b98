/** Lists: their envelope, pages, order and search. */
import { assert, beforeAll, describe, it } from "vitest"
import { connect, unique } from "./Api.ts"
import { resources, world, type World } from "./Resources.ts"
import type { Server } from "./Server.ts"

export const lists = (server: Server): void => {
  const api = connect(server.url, server.key)
  let its: World
  const find = async (q: string) => (await api.list("stores", { q })).data.map(({ name }) => name)
  beforeAll(async () => {
    its = await world(api)
  })

  for (const { name, path, required } of resources) {
    const searched = name === "design" ? "session_token" : "name"
    it(`of ${name}s go ${name === "print_area" ? "by position" : "newest first"}, in pages`, async () => {
      const at = path(its)
      const q = unique()
      const ids: Array<string> = []
      for (const nth of [1, 2, 3, 4, 5])
        ids.push((await api.create(at, { ...required(its), [searched]: `${q} ${nth}` })).id)
      const order = name === "print_area" ? ids : ids.toReversed()
      const page = (number: number) => api.list(at, { q, per_page: "2", page: String(number) })
      const pages = [await page(1), await page(2), await page(3), await page(4)]
      assert.deepStrictEqual(
        pages.flatMap(({ data }) => data.map(({ id }) => id)),
        order,
      )
      pages.forEach(({ meta }, index) => {
        assert.deepStrictEqual(meta, { page: index + 1, per_page: 2, total: 5, total_pages: 3 })
      })
      assert.deepStrictEqual(pages[0]?.data[0], await api.get(`${at}/${order[0]}`))
    })
  }

  it("go by position first and then by age for print areas", async () => {
    const at = `products/${its.product.id}/print_areas`
    const q = unique()
    const create = async (position?: number) =>
      (await api.create(at, { name: q, width_px: 1, height_px: 1, position })).id
    const [c, a, b, d] = [await create(900), await create(0), await create(900), await create()]
    const { data } = await api.list(at, { q })
    assert.deepStrictEqual(
      data.map(({ id }) => id),
      [a, c, b, d],
    )
    assert.strictEqual(data[3].position, 901)
  })

  it("of print areas show those of their product only", async () => {
    const other = await world(api)
    const { total } = (await api.list(`products/${other.product.id}/print_areas`)).meta
    assert.strictEqual(total, 0)
    assert.strictEqual(await api.failure("GET", `products/${crypto.randomUUID()}/print_areas`), "404 not_found")
  })

  it("have 20 records on a page unless told otherwise, and 100 at most", async () => {
    const q = unique()
    await Promise.all(Array.from({ length: 101 }, () => api.create("assets", { name: q, asset_type: "background" })))
    const shown = async (query: object) => {
      const { data, meta } = await api.list("assets", { q, ...query })
      return { ...meta, shown: data.length }
    }
    assert.deepStrictEqual(await shown({}), { page: 1, per_page: 20, total: 101, total_pages: 6, shown: 20 })
    const most = { page: 1, per_page: 100, total: 101, total_pages: 2, shown: 100 }
    assert.deepStrictEqual(await shown({ per_page: "101" }), most)
    assert.deepStrictEqual(await shown({ per_page: "999999" }), most)
    assert.deepStrictEqual(await shown({ per_page: "100", page: "2" }), { ...most, page: 2, shown: 1 })
  })

  it("are empty beyond their end, and where nothing fits", async () => {
    const { data, meta } = await api.list("assets", { q: unique(), page: "3" })
    assert.deepStrictEqual({ data, meta }, { data: [], meta: { page: 3, per_page: 20, total: 0, total_pages: 0 } })
  })

  it("refuse a page or a size that is none, both at once", async () => {
    for (const wrong of ["0", "-1", "1.5", "x", "", "1e2", "%20"]) {
      const refusal = await api.wrong("GET", `stores?page=${wrong}&per_page=${wrong}`)
      assert.deepStrictEqual(refusal, ["/page", "/per_page"])
    }
  })

  describe("with q", () => {
    it("keep the records whose name contains it, in any case", async () => {
      const name = `${unique()} Grün Ω`
      await api.create("stores", { name, platform: "swell" })
      const id = name.slice(-20)
      for (const q of [name, id.toUpperCase(), id.toLowerCase(), name.slice(20)])
        assert.deepStrictEqual(await find(q), [name])
    })

    it("take % and _ and \\ for themselves", async () => {
      const start = unique()
      const names = ["100%", "100x", "a_b", "axb", "a\\b"].map((end) => `${start} ${end}`)
      for (const name of names) await api.create("stores", { name, platform: "swell" })
      assert.deepStrictEqual(await find(`${start} 100%`), [names[0]])
      assert.deepStrictEqual(await find(`${start} a_b`), [names[2]])
      assert.deepStrictEqual(await find(`${start} a\\b`), [names[4]])
      assert.deepStrictEqual(await find(`${start}%`), [])
    })

    it("show all when it is empty", async () => {
      const { id } = await api.create("stores", { name: unique(), platform: "swell" })
      assert.strictEqual((await api.list("stores", { q: "" })).data[0].id, id)
    })
  })
}
