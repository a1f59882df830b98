/** What is true of every kind of record: how it is created, read, changed, cleared and deleted. */
import { assert, beforeAll, describe, it } from "vitest"
import { type Api, connect, unique, type Json } from "./Api.ts"
import { resources, world, type Resource, type World } from "./Resources.ts"
import type { Server } from "./Server.ts"

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const own = ["id", "account_id", "created_at", "updated_at"]

const pick = (record: Json, names: ReadonlyArray<string>) =>
  Object.fromEntries(names.map((name) => [name, record[name]]))

export const records = (server: Server): void => {
  for (const resource of resources) {
    describe(`a ${resource.name}`, () => {
      about(resource, connect(server.url, server.key))
    })
  }
}

const about = ({ assigned, cleared, defaults, optional, path, readOnly, required }: Resource, api: Api) => {
  let its: World
  let at = ""
  beforeAll(async () => {
    its = await world(api)
    at = path(its)
  })
  // A session token is its design's alone.
  const all = () => ({ ...optional, ...("session_token" in optional ? { session_token: unique() } : {}) })

  it("has its defaults when only the required fields are sent", async () => {
    const sent = required(its)
    const record = await api.create(at, sent)
    assert.deepStrictEqual(record, { ...sent, ...defaults(its), ...pick(record, [...own, ...assigned]) })
    assert.isTrue(assigned.every((name) => record[name] !== null))
  })

  it("has an id and an account that are UUIDs, and times in UTC", async () => {
    const { id, account_id, created_at, updated_at } = await api.create(at, required(its))
    for (const uuid of [id, account_id]) assert.match(uuid, UUID_V7)
    assert.match(created_at, TIMESTAMP)
    assert.strictEqual(updated_at, created_at)
  })

  it("has the same defaults when null is sent for what may be left out", async () => {
    const sent = required(its)
    const nothing = Object.fromEntries(Object.keys(optional).map((name) => [name, null]))
    const record = await api.create(at, { ...nothing, id: null, ...sent })
    assert.deepStrictEqual(record, { ...sent, ...defaults(its), ...pick(record, [...own, ...assigned]) })
  })

  it("keeps every field that is sent, and is read as it was created", async () => {
    const sent = { ...required(its), ...all() }
    const record = await api.create(at, sent)
    assert.deepStrictEqual(record, { ...defaults(its), ...sent, ...pick(record, own) })
    assert.strictEqual(JSON.stringify(await api.get(`${at}/${record.id}`)), JSON.stringify(record))
  })

  it("ignores fields that are unknown or read-only, in a create and in a PATCH", async () => {
    const foreign = { ...readOnly, account_id: crypto.randomUUID(), created_at: "2020-01-01T00:00:00.000Z", colour: 1 }
    const sent = required(its)
    const record = await api.create(at, { ...foreign, ...sent })
    assert.deepStrictEqual(record, { ...sent, ...defaults(its), ...pick(record, [...own, ...assigned]) })
    assert.notStrictEqual(record.account_id, foreign.account_id)
    assert.deepStrictEqual(await api.modify(`${at}/${record.id}`, { ...foreign, id: crypto.randomUUID() }), record)
  })

  it("is changed by a PATCH where it says so, and nowhere else", async () => {
    const record = await api.create(at, required(its))
    for (const [name, value] of Object.entries(all())) {
      const before = await api.get(`${at}/${record.id}`)
      const after = await api.modify(`${at}/${record.id}`, { [name]: value })
      assert.deepStrictEqual(after, { ...before, [name]: value, updated_at: after.updated_at })
      assert.isAtLeast(Date.parse(after.updated_at), Date.parse(before.updated_at))
      assert.deepStrictEqual(await api.get(`${at}/${record.id}`), after)
    }
  })

  it("keeps all changes that are made at the same time", async () => {
    const record = await api.create(at, required(its))
    const changes = Object.entries(all())
    await Promise.all(changes.map(([name, value]) => api.modify(`${at}/${record.id}`, { [name]: value })))
    const after = await api.get(`${at}/${record.id}`)
    assert.deepStrictEqual(after, { ...record, ...Object.fromEntries(changes), updated_at: after.updated_at })
  })

  it("is unchanged by a PATCH that changes nothing", async () => {
    const record = await api.create(at, { ...required(its), ...all() })
    assert.deepStrictEqual(await api.modify(`${at}/${record.id}`, record), record)
    assert.deepStrictEqual(await api.modify(`${at}/${record.id}`, {}), record)
  })

  it("is cleared by null in a PATCH", async () => {
    const record = await api.create(at, { ...required(its), ...all() })
    const nothing = Object.fromEntries(Object.keys(cleared).map((name) => [name, null]))
    const after = await api.modify(`${at}/${record.id}`, nothing)
    assert.deepStrictEqual(after, { ...record, ...cleared, updated_at: after.updated_at })
  })

  it("refuses null for its required fields, all of them at once", async () => {
    const { id } = await api.create(at, required(its))
    const nothing = Object.fromEntries(Object.keys(required(its)).map((name) => [name, null]))
    const pointers = Object.keys(nothing)
      .map((name) => `/${name}`)
      .toSorted()
    assert.deepStrictEqual(await api.wrong("PATCH", `${at}/${id}`, nothing), pointers)
    assert.deepStrictEqual(await api.wrong("POST", at, {}), pointers)
  })

  it("is gone after its deletion", async () => {
    const { id } = await api.create(at, required(its))
    await api.delete(`${at}/${id}`)
    for (const method of ["GET", "DELETE"] as const)
      assert.strictEqual(await api.failure(method, `${at}/${id}`), "404 not_found")
    assert.strictEqual(await api.failure("PATCH", `${at}/${id}`, {}), "404 not_found")
  })

  it("is not found under an id that is malformed or nobody's", async () => {
    const wrong = ["1", "null", crypto.randomUUID().slice(1), `${crypto.randomUUID()}0`, "%00", crypto.randomUUID()]
    for (const id of wrong) {
      assert.strictEqual(await api.failure("GET", `${at}/${id}`), "404 not_found")
      assert.strictEqual(await api.failure("PATCH", `${at}/${id}`, {}), "404 not_found")
      assert.strictEqual(await api.failure("DELETE", `${at}/${id}`), "404 not_found")
    }
  })

  it("is found under its id in capitals", async () => {
    const record = await api.create(at, required(its))
    assert.deepStrictEqual(await api.get(`${at}/${record.id.toUpperCase()}`), record)
  })
}
