/** The conformance suite over embedded storage; commands beside the server; crashes and restarts. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, describe } from "vitest"
import { account, commands, issue } from "./Commands.ts"
import { conformance } from "./Conformance.ts"
import { isolation } from "./Isolation.ts"
import { scopes } from "./Keys.ts"
import * as Receiver from "./Receiver.ts"
import { recovery } from "./Recovery.ts"
import * as Server from "./Server.ts"
import { log } from "./System.ts"
import { begin } from "./Until.ts"

const [dir, spare, receiver] = await Promise.all([Server.dataDir(), Server.dataDir(), Receiver.listen()])
afterAll(async () => {
  receiver.close()
  await Promise.all([dir.remove(), spare.remove()])
})
describe("a server", () => {
  recovery(spare.path, receiver)
})
const server = await Server.start({ TC_STORE: "embedded", TC_DATA_DIR: dir.path })
afterAll(() => server.stop())
const stranger = await account(server, "stranger")
await conformance(server, stranger)
describe("accounts", () => {
  isolation(server, stranger, receiver)
})
describe("a command", () => {
  commands(server)
})
describe("a key", () => {
  scopes(
    server,
    begin(() => issue(server)),
  )
})
log(server, () => readFile(join(dir.path, "postgres", "postgres.log"), "utf8"))
