/** An environment that is wrong: the server says so, all of it at once, and ends with the code 2. */
import { randomBytes } from "node:crypto"
import { createServer } from "node:net"
import { assert, describe, it } from "vitest"
import * as Database from "./Database.ts"
import * as Server from "./Server.ts"
import { begin } from "./Until.ts"

const wrong = {
  PORT: "99999",
  HOST: "a b",
  TC_STORE: "disk",
  TC_SECRET_KEY: "hunter2-not-a-key",
  TC_BOOTSTRAP_API_KEY: "hunter2-neither",
  TC_BRAND: "two words",
  TC_WEBHOOK_SCHEDULE: "0s,soon",
  TC_WEBHOOK_TIMEOUT: "1h",
  TC_WEBHOOK_DISABLE_AFTER: "0",
  TC_WEBHOOK_ALLOW_PRIVATE: "yes",
  TC_RETENTION: "soon",
  TC_ROLE: "boss",
  TC_LOG: "xml",
}
const all = begin(() => Server.run("serve", wrong))

describe("a wrong environment", () => {
  it("ends the server with the code 2, before it listens", async () => {
    const { code, stdout } = await all()
    assert.deepStrictEqual([code, stdout], [2, ""])
  })

  for (const [name, given] of Object.entries(wrong)) {
    it(`is told of ${name}: what was given, unless it is secret, and what is allowed`, async () => {
      const { stderr } = await all()
      const line = stderr.split("\n").find((line) => line.startsWith(name)) ?? ""
      assert.strictEqual(line.includes(given), !given.startsWith("hunter2"))
      assert.match(line, / must be \S+/)
    })
  }

  it("shows no secret", async () => {
    assert.notInclude((await all()).stderr, "hunter2")
  })

  it("is one with a database and no key for secrets", async () => {
    const { code, stderr } = await Server.run("serve", { DATABASE_URL: "postgres://a:hunter2@127.0.0.1:1/a" })
    assert.strictEqual(code, 2)
    assert.match(stderr, /^TC_SECRET_KEY .*32 bytes/m)
    assert.notInclude(stderr, "hunter2")
  })

  it("is one with the storage of a database and none", async () => {
    const { code, stderr } = await Server.run("migrate", { TC_STORE: "postgres" })
    assert.strictEqual(code, 2)
    assert.match(stderr, /^DATABASE_URL /m)
  })
})

it("a database that there is none of is named by its variable, with the reason", async () => {
  const url = await Database.create()
  url.pathname += "_not"
  const { code, stderr } = await Server.run("migrate", {
    DATABASE_URL: url.href,
    TC_SECRET_KEY: randomBytes(32).toString("base64"),
  })
  assert.strictEqual(code, 1)
  assert.match(stderr, /^The database of DATABASE_URL cannot be used: database "\w+_not" does not exist$/m)
})

/** A first start on a port that another server has, and a second one. */
const taken = begin(async () => {
  const dir = await Server.dataDir()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve))
  const address = other.address()
  const port = String(typeof address === "object" ? address?.port : 0)
  const env = { TC_STORE: "embedded", TC_DATA_DIR: dir.path, TC_BOOTSTRAP_API_KEY: "" }
  const first = await Server.run("serve", { ...env, PORT: port })
  other.close()
  const second = await Server.start(env)
  await second.stop()
  await dir.remove()
  return { first, port, second }
})

it("a port that is taken is said, and ends the server with a code", async () => {
  const { first, port } = await taken()
  assert.strictEqual(first.code, 1)
  assert.include(first.stderr, port)
})

it("a first start that fails takes no key with it: the next one shows it", async () => {
  const { first, second } = await taken()
  assert.notInclude(first.stdout, "tc_")
  assert.match(second.log(), /^API key for the account "default", shown only now: tc_[0-9a-f]{64}$/m)
})
