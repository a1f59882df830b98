import { afterAll, assert, describe, it } from "@effect/vitest"
import { PrintArea } from "@tc/domain"
import { Schema } from "effect"
import * as Records from "./Records.ts"
import { start } from "./Service.ts"

const service = await start()
afterAll(service.stop)
const { product_id } = await Records.seed(service)
const other = await Records.seed(service)
const at = `/api/v1/products/${product_id}/print_areas`
const elsewhere = `/api/v1/products/${other.product_id}/print_areas`

describe("print areas", () => {
  it("are created below their product, each behind the last", async () => {
    const first = await service.post(at, Records.area)
    const second = await service.post(at, Records.area)
    assert.strictEqual(first.status, 201)
    assert.strictEqual(first.headers.get("location"), `${at}/${first.body.id}`)
    assert.isTrue(Schema.is(PrintArea.resource.record)(first.body))
    assert.strictEqual(first.body.product_id, product_id)
    assert.strictEqual(second.body.position, first.body.position + 1)
  })

  it("are listed by position, those of their product only", async () => {
    const { body: last } = await service.post(elsewhere, { ...Records.area, position: 9 })
    const { body: first } = await service.post(elsewhere, { ...Records.area, position: 2 })
    const { body } = await service.get(elsewhere)
    assert.deepStrictEqual(
      body.data.map(({ id }: { id: string }) => id),
      [first.id, last.id],
    )
  })

  it("are read, changed and deleted there", async () => {
    const { body: area } = await service.post(at, Records.area)
    assert.deepStrictEqual((await service.get(`${at}/${area.id}`)).body, area)
    const bounds = { x: 1, y: 2.5, width: 0, height: 4 }
    assert.deepStrictEqual((await service.patch(`${at}/${area.id}`, { bounds })).body.bounds, bounds)
    assert.strictEqual((await service.delete(`${at}/${area.id}`)).status, 204)
    assert.strictEqual((await service.get(`${at}/${area.id}`)).status, 404)
  })

  it("are not found below another product, and stay as they are", async () => {
    const { body: area } = await service.post(at, Records.area)
    assert.strictEqual((await service.get(`${elsewhere}/${area.id}`)).status, 404)
    assert.strictEqual((await service.patch(`${elsewhere}/${area.id}`, { name: "Back" })).status, 404)
    assert.strictEqual((await service.delete(`${elsewhere}/${area.id}`)).status, 404)
    assert.deepStrictEqual((await service.get(`${at}/${area.id}`)).body, area)
  })

  it("are not found below a product that there is none of", async () => {
    const stranger = await service.keyOf("another")
    for (const [path, as] of [
      [`/api/v1/products/${Records.nobody}/print_areas`, service.key],
      ["/api/v1/products/nonsense/print_areas", service.key],
      [at, stranger],
    ] as const) {
      assert.strictEqual((await service.get(path, undefined, as)).status, 404)
      assert.strictEqual((await service.post(path, Records.area, as)).status, 404)
    }
  })
})
