/** The service inside a program that knows its users by the session in a cookie, and has no API keys. */
import { afterAll, assert, it } from "@effect/vitest"
import { Errors } from "@tc/api"
import { type ApiKey, Id } from "@tc/domain"
import { Accounts, layerMemory } from "@tc/store"
import { Effect, Layer } from "effect"
import { Authorization, Bootstrap, Handler, SecretBox, Sender, Service } from "../../src/index.ts"
import type { Json } from "./Service.ts"

/** What users of the program may do, by their session, each in an account of its name. */
const sessions: Readonly<Record<string, ReadonlyArray<ApiKey.Scope>>> = {
  ada: ["read", "write", "delete"],
  bob: ["read", "write", "delete"],
  guest: ["read"],
}

const identify = Effect.fnUntraced(function* (session = "") {
  const scopes = sessions[session]
  if (scopes === undefined) return yield* new Errors.Unauthorized({ code: "missing_api_key", message: "Sign in." })
  const { id: account_id } = yield* (yield* Accounts).ensure(session)
  return { account_id, key_id: Id.ApiKeyId.id.make(account_id), scopes }
})

const { dispose, handler, run } = Handler.make(
  Service.layer({
    storage: layerMemory,
    sender: Layer.succeed(Sender, { send: () => Effect.never }),
    secrets: SecretBox.layer(new Uint8Array(SecretBox.KEY_BYTES)),
    http: { log_requests: false },
  }),
  {
    authorization: Authorization.layerOf(({ cookies }) => identify(cookies["session"])),
  },
)
afterAll(dispose)

const call = async (headers: Record<string, string>, body?: object) => {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
  const type = { "content-type": "application/json" }
  const response = await handler(
    new Request("http://localhost/api/v1/stores", { headers: { ...headers, ...type }, ...init }),
  )
  const json: Json = await response.json()
  return { status: response.status, id: response.headers.get("x-request-id"), json }
}
const as = (session: string) => ({ cookie: `theme=dark; session=${session}` })
const names = async (session: string) => (await call(as(session))).json.data.map(({ name }: Json) => name)

it("a session acts in its account, and sees no other", async () => {
  assert.strictEqual((await call(as("ada"), { name: "Riverside", platform: "swell" })).status, 201)
  assert.deepStrictEqual(await names("ada"), ["Riverside"])
  assert.deepStrictEqual(await names("bob"), [])
})

it("a session may do what its scopes allow", async () => {
  const { json } = await call(as("guest"), { name: "Riverside", platform: "swell" })
  assert.deepInclude(json, { code: "insufficient_scope" })
  assert.deepStrictEqual(await names("guest"), [])
})

it("who has no session is refused in the program's words and the form of all failures", async () => {
  const { id, json, status } = await call({})
  assert.strictEqual(status, 401)
  const rest = { error: "Unauthorized", message: "Sign in.", code: "missing_api_key" }
  assert.deepStrictEqual(json, { ...rest, request_id: id })
})

it("an API key of the storage opens nothing", async () => {
  const { key } = await run(Bootstrap.run(null))
  assert.strictEqual((await call({ "x-api-key": String(key) })).status, 401)
  assert.strictEqual((await call({ authorization: `Bearer ${key}` })).status, 401)
})
