/** All vectors. Run this file to write them to vectors.json. */
import { writeFileSync } from "node:fs"
import * as Accepted from "./AcceptedVectors.ts"
import * as Refused from "./RefusedVectors.ts"
import type { Vector } from "./Vector.ts"

export const vectors: readonly Vector[] = [...Accepted.vectors, ...Refused.vectors]

if (import.meta.main) {
  writeFileSync(new URL("../vectors.json", import.meta.url), `${JSON.stringify(vectors, null, 2)}\n`)
}
