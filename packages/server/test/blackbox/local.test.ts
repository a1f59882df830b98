/** The conformance suite over the storages of one machine; commands beside the server; crashes and restarts. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, describe } from "vitest"
import { connect } from "./Api.ts"
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
// Half a minute of waiting, which the other tests fill.
const recovered = recovery(spare.path, receiver)
const memory = { TC_STORE: "memory" }
const [embedded, one, other] = await Promise.all([
  Server.start({ TC_STORE: "embedded", TC_DATA_DIR: dir.path }),
  Server.start(memory),
  Server.start(memory),
])
const stranger = await account(embedded, "stranger")
afterAll(async () => {
  await Promise.all([embedded, one, other].map((server) => server.stop()))
  receiver.close()
  await Promise.all([dir.remove(), spare.remove()])
})

describe("in memory", () => {
  // Commands do not reach into the memory of a process, so a second account takes a second server.
  conformance(one, connect(other.url, other.key), receiver)
  log(one, async () => other.log())
})
describe("on embedded storage", () => {
  conformance(embedded, stranger, receiver)
  describe("accounts", () => {
    isolation(embedded, stranger, receiver)
  })
  describe("a command", () => {
    commands(embedded)
  })
  describe("a key", () => {
    scopes(
      embedded,
      begin(() => issue(embedded)),
    )
  })
  log(embedded, () => readFile(join(dir.path, "postgres", "postgres.log"), "utf8"))
  describe("a server", () => {
    recovered()
  })
})
