/** The benchmarks: `npm run bench`, or `npm run bench -- deliveries http lists verify` for some of them. */
import { availableParallelism, loadavg } from "node:os"
import * as Database from "./Database.ts"
import * as Deliveries from "./Deliveries.ts"
import * as Figure from "./Figure.ts"
import * as Http from "./Http.ts"
import * as Lists from "./Lists.ts"
import * as Verify from "./Verify.ts"

const parts = { deliveries: Deliveries.figures, http: Http.figures, lists: Lists.figures, verify: Verify.figures }

/** Our contender: a module that exports `makePipeline` and `makeHttpApi`, as Pipeline.ts and HttpApi.ts describe them. */
const ours = import.meta.resolve("./Ours.ts")

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !(name in parts))
if (unknown.length > 0)
  throw new Error(`no part called ${unknown.join(", ")}; there are ${Object.keys(parts).join(", ")}`)

/** Ratios are of one run, but a machine that is busy with other work blurs them: with load well above the cores, run again. */
const conditions = () => `Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`

console.log(`${conditions()}\n${Figure.head()}`)
try {
  for (const [name, figures] of Object.entries(parts)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    for await (const line of figures(ours)) console.log(line)
  }
  console.log(conditions())
} finally {
  await Database.dropAll()
}
// Children that an error left behind end with this process.
process.exit()
