/** The conformance suite over the memory of the server's process. */
import { afterAll } from "vitest"
import { conformance } from "./Conformance.ts"
import * as Server from "./Server.ts"

const server = await Server.start({ TC_STORE: "memory" })
afterAll(server.stop)
conformance(server)
