import { afterAll, assert, describe, it } from "@effect/vitest"
import { OpenApi } from "@tc/api"
import * as Records from "./Records.ts"
import { type Json, start } from "./Service.ts"

const service = await start()
afterAll(service.stop)
const seeded = await Records.seed(service)

/** Random (mulberry32), and the same in every run: a failure names the request that made it. */
const random = (() => {
  let state = 0x9e3779b9
  return (limit: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
})()
const pick = <A>(items: ReadonlyArray<A>): A => items.slice(random(items.length))[0] ?? pick(items)
const some = <A>(items: ReadonlyArray<A>, most: number) => Array.from({ length: random(most + 1) }, () => pick(items))

const { paths, components } = JSON.parse(JSON.stringify(OpenApi.document()))
const fields = [
  ...new Set(Object.values<Json>(components.schemas).flatMap(({ properties }) => Object.keys(properties ?? {}))),
  "__proto__",
  "constructor",
  "toString",
  "",
  "\u0000",
  "\ud800",
  "a/b~c",
]
const texts = [
  "",
  "a",
  "name",
  "*",
  "draft",
  "finalized",
  "active",
  "clipart",
  "design.finalized",
  "\u0000",
  "\ud800",
  "\u202e",
  "https://example.com",
  "https://[::1]",
  "http://",
  "HTTPS://例え.jp/\u0000",
  "javascript:alert(1)",
  "x".repeat(300),
  ...Object.values(seeded),
  "019A3F5E-7C10-7D42-9B6E-5F21C08A4EFF",
  "' OR 1=1 --",
  "%",
  "_",
  "\\",
  "🎉".repeat(200),
  "y".repeat(70_000),
]
const numbers = [
  "0",
  "-0",
  "1",
  "-1",
  "1.5",
  "1e999",
  "-1e999",
  "1e-400",
  "9007199254740993",
  "100001",
  "9".repeat(400),
]

/** JSON text, so that it can hold what no value can. */
const json = (depth: number): string => {
  const kind = random(depth > 4 ? 4 : 8)
  if (kind === 0) return pick(["null", "true", "false"])
  if (kind === 1) return pick(numbers)
  if (kind < 4) return JSON.stringify(pick(texts))
  if (kind === 4) return `[${Array.from({ length: random(5) }, () => json(depth + 1)).join(",")}]`
  if (kind === 5) return pick([100, 2_000, 50_000].map((levels) => "[".repeat(levels) + "]".repeat(levels)))
  return object(depth + 1)
}
const object = (depth: number) =>
  `{${some(fields, 8)
    .map((field) => `${JSON.stringify(field)}:${json(depth)}`)
    .join(",")}}`

const valid = [
  Records.store,
  Records.asset,
  Records.area,
  Records.endpoint,
  { product_id: seeded.product_id },
  { name: "Mug", store_id: seeded.store_id },
]
/** A body that is right but for a few fields. */
const nearly = () => {
  const broken = some(fields, 3).map((field) => `${JSON.stringify(field)}:${json(1)}`)
  return `{${[...Object.entries(pick(valid)).map(([key, value]) => `"${key}":${JSON.stringify(value)}`), ...broken].join(",")}}`
}
const body = () =>
  pick([nearly, nearly, () => object(0), () => json(0), () => json(0).slice(0, -1), () => pick(texts), () => ""])()

const ids = [...Object.values(seeded), Records.nobody, "nonsense", "%00", "%ff", "..%2f", "a".repeat(200), "__proto__"]
const query = () =>
  pick([
    "",
    "?",
    "?&&=",
    "?page",
    `?${some(["page", "per_page", "q", "status", "event", "__proto__"], 5)
      .map(
        (name) =>
          `${name}=${encodeURIComponent(pick(["1", "2", ...numbers, ...texts.map((text) => text.toWellFormed())]))}`,
      )
      .join("&")}`,
  ])

const requests = Array.from({ length: 2_000 }, () => {
  const path = pick(Object.keys(paths)).replaceAll(/\{\w+\}/g, () => pick(ids))
  const method = pick(["GET", "POST", "POST", "POST", "PATCH", "DELETE", "PUT", "HEAD", "OPTIONS", "BREW"])
  const headers = Object.fromEntries(
    some(
      [
        ["content-type", pick(["application/json", "text/plain", "", "a/b; c", "application/json; charset=\u00ff"])],
        ["x-request-id", pick(["", "x".repeat(5_000), "a b", "1"])],
        ["authorization", pick(["Bearer", "Bearer tc_", "Basic x", `Bearer ${service.key}x`, "\u00ff"])],
        ["accept", "nonsense"],
        ["content-encoding", "gzip"],
        ["range", "bytes=5-1"],
        ["x-forwarded-for", "1.1.1.1,".repeat(500)],
        ["cookie", "a=%E0%A4%A; b"],
        ["x-http-method-override", "DELETE"],
        ["traceparent", "00-nonsense"],
      ] as const,
      4,
    ),
  )
  const init = { method, headers: { "x-api-key": service.key, "content-type": "application/json", ...headers } }
  return [path + query(), method === "GET" || method === "HEAD" ? init : { ...init, body: body() }] as const
})

describe("whatever is asked", () => {
  it("is never answered with a fault of the service, nor without bounds, nor in another form", async () => {
    const statuses = new Set<number>()
    for (const [path, init] of requests) {
      const answer = await service.send(path, init)
      const said = `${JSON.stringify([path, init]).slice(0, 2_000)} → ${answer.status} ${answer.text.slice(0, 500)}`
      statuses.add(answer.status)
      assert.isBelow(answer.status, 500, said)
      assert.isBelow(answer.text.length, 512 * 1024, said)
      if (answer.status < 400 || answer.text === "") continue
      assert.containsAllKeys(answer.body, ["error", "message", "code", "request_id"], said)
      assert.isBelow(answer.text.length, 32 * 1024, said)
    }
    assert.includeMembers([...statuses], [200, 201, 204, 400, 401, 404, 405, 415, 422])
  }, 600_000)
})
