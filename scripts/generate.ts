/** Writes what is derived from the domain's schemas: the types of the events that receivers are sent. */
import { writeFileSync } from "node:fs"
import { render } from "./events.ts"

writeFileSync(new URL("../packages/webhooks/src/events.ts", import.meta.url), render())
