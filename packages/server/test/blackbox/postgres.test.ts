/** The conformance suite over a PostgreSQL of the operator's, with an outage at its end. */
import { randomBytes } from "node:crypto"
import { afterAll, describe } from "vitest"
import { account } from "./Commands.ts"
import { conformance } from "./Conformance.ts"
import * as Database from "./Database.ts"
import { isolation } from "./Isolation.ts"
import { outage, silence } from "./Outage.ts"
import * as Proxy from "./Proxy.ts"
import * as Receiver from "./Receiver.ts"
import * as Server from "./Server.ts"
import { log } from "./System.ts"

const database = await Database.create()
const [proxy, receiver] = await Promise.all([
  Proxy.to({ host: database.hostname, port: Number(database.port) }),
  Receiver.listen(),
])
// Half a minute of waiting, which the other tests fill.
const silent = silence(receiver)
database.host = `127.0.0.1:${proxy.port}`
const server = await Server.start({
  DATABASE_URL: database.href,
  TC_SECRET_KEY: randomBytes(32).toString("base64"),
})
afterAll(async () => {
  await server.stop()
  proxy.close()
  receiver.close()
})
const stranger = await account(server, "stranger")
conformance(server, stranger, receiver)
describe("accounts", () => {
  isolation(server, stranger, receiver)
})
log(server, async () => "")
describe("without its database", () => {
  outage(server, proxy, receiver)
})
describe("while its database is silent, a server", () => {
  silent()
})
