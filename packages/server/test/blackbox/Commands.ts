/** The command line, beside the server that runs on the same storage. */
import { assert, it } from "vitest"
import { connect, type Json } from "./Api.ts"
import type { Server } from "./Server.ts"
import { begin, until } from "./Until.ts"

/** What a command printed as JSON. */
export const json = async (server: Server, command: string): Promise<Json> => {
  const { code, stderr, stdout } = await server.cli(`${command} --json`)
  assert.strictEqual(code, 0, `${command}: ${stderr}`)
  return JSON.parse(stdout)
}

/** Makes an account, and a client in its name. */
export const account = async (server: Server, name: string) => {
  await json(server, `account create --name ${name}`)
  const { key } = await json(server, `key create --account ${name} --name ${name} --scopes read,write,delete`)
  return connect(server.url, key)
}

/** A key that lives for so many milliseconds, or longer where the command itself takes that long. */
const shortLived = async (server: Server, millis: number): Promise<string> => {
  const end = new Date(Date.now() + millis).toISOString()
  const { code, stderr, stdout } = await server.cli(`key create --name short --scopes read --expires-at ${end} --json`)
  if (code === 0) return JSON.parse(stdout).key
  assert.include(stderr, "past")
  return shortLived(server, millis * 2)
}

/** A key for each scope, one that has expired, and one that was revoked. */
export const issue = async (server: Server): Promise<Readonly<Record<string, string>>> => {
  const keys: Record<string, string> = {}
  for (const scope of ["read", "write", "delete"]) {
    keys[scope] = (await json(server, `key create --name ${scope} --scopes ${scope}`)).key
  }
  const short = await shortLived(server, 5_000)
  const { id, key } = await json(server, "key create --name ended --scopes read")
  await json(server, `key revoke --id ${id}`)
  const api = connect(server.url, short)
  await until("the key expires", async () => (await api.request("GET", "stores")).status === 401)
  return { ...keys, expired: short, revoked: key }
}

export const commands = (server: Server): void => {
  const ran = begin(async () => {
    const created = await json(server, "account create --name acme")
    const [accounts, again, unknown] = await Promise.all([
      json(server, "account list"),
      server.cli("account create --name acme"),
      server.cli("key create --account nobody --name x --scopes read"),
    ])
    const key = await json(
      server,
      "key create --account acme --name shop --scopes read,write --expires-at 2100-01-01T00:00:00+01:00",
    )
    const api = connect(server.url, key.key)
    const before = (await api.request("GET", "stores")).status
    const listed = await json(server, "key list --account acme")
    const [scope, past, table] = await Promise.all([
      server.cli("key create --name x --scopes read,fly"),
      server.cli("key create --name x --scopes read --expires-at 2001-01-01T00:00:00Z"),
      server.cli("account list"),
    ])
    const revoked = await json(server, `key revoke --account acme --id ${key.id}`)
    const after = (await api.request("GET", "stores")).status
    const { token } = await json(server, "account invite --name acme")
    const joined = await fetch(`${server.url}/dashboard/api/v1/sign_ups`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: server.url },
      body: JSON.stringify({ token, email: "ada@acme.example", name: "Ada", password: "correct horse battery" }),
    })
    const member: Json = await joined.json()
    const late = await server.cli("account invite --name acme")
    const reset = await json(server, "member reset-password --account acme --email Ada@acme.example")
    const chosen = await fetch(`${server.url}/dashboard/api/v1/password_resets`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: server.url },
      body: JSON.stringify({ token: reset.token, password: "a much better password" }),
    })
    const { member: chooser }: Json = await chosen.json()
    const nobody = await server.cli("member reset-password --account acme --email eve@acme.example")
    const [migrated, document] = await Promise.all([json(server, "migrate"), json(server, "openapi")])
    return {
      created,
      joined: { status: joined.status, account: member.account },
      late,
      chosen: { status: chosen.status, email: chooser.email },
      nobody,
      accounts,
      again,
      unknown,
      key,
      before,
      listed,
      scope,
      past,
      table,
      revoked,
      after,
      migrated,
      document,
    }
  })

  it("creates an account, and lists it", async () => {
    const { accounts, created, table } = await ran()
    assert.hasAllKeys(created, ["id", "name", "created_at"])
    assert.deepStrictEqual(
      accounts.find(({ name }: Json) => name === "acme"),
      created,
    )
    assert.isDefined(accounts.find(({ name }: Json) => name === "default"))
    assert.include(table.stdout, created.id)
  })

  it("creates a key and shows it once; the server takes it at once", async () => {
    const { before, created, key, listed } = await ran()
    assert.match(key.key, /^tc_[0-9a-f]{64}$/)
    assert.strictEqual(key.prefix, key.key.slice(3, 11))
    const rest = {
      account_id: created.id,
      name: "shop",
      scopes: ["read", "write"],
      expires_at: "2099-12-31T23:00:00.000Z",
    }
    assert.deepInclude(key, rest)
    assert.notProperty(key, "hash")
    assert.strictEqual(before, 200)
    const { key: _, last_used_at: __, ...shown } = key
    assert.deepInclude(listed[0], shown)
    assert.notMatch(JSON.stringify(listed), /tc_[0-9a-f]{64}|hash/)
  })

  it("revokes a key; the server refuses it at once", async () => {
    const { after, key, revoked } = await ran()
    assert.strictEqual(revoked.id, key.id)
    assert.match(revoked.revoked_at, /Z$/)
    assert.strictEqual(after, 401)
  })

  it("lets the first member of an account into the dashboard, and no second", async () => {
    const { created, joined, late } = await ran()
    assert.deepStrictEqual(joined, { status: 201, account: { id: created.id, name: "acme" } })
    assert.strictEqual(late.code, 1)
    assert.match(late.stderr, /owners invite/)
  })

  it("lets a member choose another password, and nobody who is none", async () => {
    const { chosen, nobody } = await ran()
    assert.deepStrictEqual(chosen, { status: 201, email: "ada@acme.example" })
    assert.strictEqual(nobody.code, 1)
    assert.match(nobody.stderr, /no member with the address eve@acme\.example/)
  })

  it("says what is wrong, and fails", async () => {
    const { again, past, scope, unknown } = await ran()
    assert.deepStrictEqual([again.code, past.code, scope.code, unknown.code], [1, 1, 1, 1])
    assert.match(again.stderr, /acme/)
    assert.match(unknown.stderr, /nobody/)
    assert.match(past.stderr, /past/)
    for (const { stderr } of [again, past, unknown]) assert.notMatch(stderr, /^\s+at /m)
  })

  it("migrates nothing twice", async () => {
    assert.deepStrictEqual((await ran()).migrated, { migrations: [] })
  })

  it("prints the document that the server serves", async () => {
    const { body } = await connect(server.url, null).request("GET", "/openapi.json")
    assert.deepStrictEqual((await ran()).document, body)
  })
}
