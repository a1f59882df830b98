/** The rotation of a signing secret over HTTP. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { WebhookEndpointWithSecret } from "@tc/api"
import { SigningSecrets, WebhookEndpoint } from "@tc/domain"
import { WebhookEndpoints } from "@tc/store"
import { Effect, Schema } from "effect"
import * as Records from "./Records.ts"
import { start, type Json } from "./Service.ts"

const service = await start()
afterAll(() => service.stop())

const at = "/api/v1/webhook_endpoints"
const create = async (more: object = {}) => (await service.post(at, { ...Records.endpoint, ...more })).body
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/
const rotate = (id: string, body?: unknown) => service.post(`${at}/${id}/rotate_secret`, body)

describe("the rotation of a secret", () => {
  it("answers with the new secret, which nothing keeps, and the end of the overlap", async () => {
    const { secret, ...before } = await create()
    const answer = await rotate(before.id, { overlap_seconds: 60 })
    assert.strictEqual(answer.status, 200)
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    assert.isTrue(Schema.is(WebhookEndpointWithSecret)(answer.body))
    assert.match(answer.body.secret, SECRET)
    assert.notStrictEqual(answer.body.secret, secret)
    const { secret_overlap_until, updated_at } = answer.body
    assert.strictEqual(Date.parse(secret_overlap_until) - Date.parse(updated_at), 60_000)
    const after = { ...before, secret: answer.body.secret, secret_overlap_until, updated_at }
    assert.deepStrictEqual(answer.body, after)
    assert.deepStrictEqual((await service.get(`${at}/${before.id}`)).body, after)
  })

  it("lets the older secret sign for a day unless it is told otherwise", async () => {
    const { id } = await create()
    for (const body of [undefined, {}]) {
      const { secret_overlap_until, updated_at } = (await rotate(id, body)).body
      assert.strictEqual(Date.parse(secret_overlap_until) - Date.parse(updated_at), 86_400_000)
    }
  })

  it("shows no older secret, nor any in a list, a PATCH or the log", async () => {
    const { id, secret } = await create()
    const rotated = await rotate(id, { overlap_seconds: 60 })
    const answers = [rotated, await service.get(`${at}/${id}`), await service.get(at)]
    for (const { text } of answers) assert.notInclude(text, secret)
    const changed = await service.patch(`${at}/${id}`, { description: "Order desk" })
    assert.notProperty(changed.body, "secret")
    assert.strictEqual(changed.body.secret_overlap_until, rotated.body.secret_overlap_until)
    assert.notInclude(JSON.stringify(service.logged), secret)
    assert.notInclude(JSON.stringify(service.logged), rotated.body.secret)
  })

  it("without an overlap shows none", async () => {
    const { id } = await create()
    await rotate(id, { overlap_seconds: 60 })
    assert.isNull((await rotate(id, { overlap_seconds: 0 })).body.secret_overlap_until)
  })

  it("shows no end of an overlap that is over", async () => {
    const { account_id, id } = await create()
    await service.run(
      Effect.flatMap(WebhookEndpoints, (endpoints) =>
        endpoints.modify(account_id, id, (row) =>
          WebhookEndpoint.rotate("v1:", 60)(row, new Date(Date.now() - 60_000).toISOString()),
        ),
      ),
    )
    const { body: page } = await service.get(at)
    const { body: changed } = await service.patch(`${at}/${id}`, { description: "Order desk" })
    assert.isNull(page.data.find((one: Json) => one.id === id).secret_overlap_until)
    assert.isNull(changed.secret_overlap_until)
  })

  it("refuses an overlap that is none", async () => {
    const { id, secret } = await create()
    for (const overlap_seconds of [-1, 604_801, 1.5, "60", null, true]) {
      const { body, status } = await rotate(id, { overlap_seconds })
      assert.strictEqual(status, 422)
      assert.lengthOf(body.errors, 1)
      assert.strictEqual(body.errors[0].path, "/overlap_seconds")
      assert.match(body.errors[0].message, /^must be an? (integer|number)/)
    }
    assert.strictEqual((await rotate(id, "[]")).status, 422)
    assert.strictEqual((await rotate(id, "{")).status, 400)
    assert.strictEqual((await service.get(`${at}/${id}`)).body.secret, secret)
  })

  it("is refused while ten secrets sign, and not once they are ended", async () => {
    const { id } = await create()
    for (let nth = 1; nth < 10; nth++) assert.strictEqual((await rotate(id)).status, 200)
    const { body, status } = await rotate(id)
    assert.deepStrictEqual([status, body.code], [409, "too_many_secrets"])
    assert.strictEqual((await rotate(id, { overlap_seconds: 0 })).status, 200)
    assert.strictEqual((await rotate(id)).status, 200)
  })

  it("takes an id in either case, and the secret signs", async () => {
    const { id } = await create()
    const { secret } = (await rotate(id.toUpperCase())).body
    assert.strictEqual((await service.get(`${at}/${id}`)).body.secret, secret)
  })

  it("is a test event's too", async () => {
    const { id } = await create()
    await rotate(id)
    await service.post(`${at}/${id}/test`)
    assert.lengthOf(SigningSecrets.all(service.sent.at(-1)?.secret ?? ""), 2)
  })

  it("takes the scope write, and an endpoint of the account", async () => {
    const { id } = await create()
    const path = `${at}/${id}/rotate_secret`
    const reader = await service.keyOf("default", { scopes: ["read", "delete"] })
    assert.strictEqual((await service.post(path, undefined, reader)).status, 403)
    assert.strictEqual((await service.post(path, undefined, await service.keyOf("another"))).status, 404)
    assert.strictEqual((await rotate(Records.nobody)).status, 404)
  })
})
