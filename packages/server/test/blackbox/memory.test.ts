/** The conformance suite over the memory of the server's process. */
import { afterAll } from "vitest"
import { connect } from "./Api.ts"
import { conformance } from "./Conformance.ts"
import * as Server from "./Server.ts"
import { log } from "./System.ts"

// Commands do not reach into the memory of a process, so a second account takes a second server.
const [server, other] = await Promise.all([Server.start({ TC_STORE: "memory" }), Server.start({ TC_STORE: "memory" })])
afterAll(() => Promise.all([server.stop(), other.stop()]))
await conformance(server, connect(other.url, other.key))
log(server, async () => other.log())
