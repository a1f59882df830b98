/** All vectors, as `npm run generate` writes them to vectors.json. */
import * as Accepted from "./AcceptedVectors.ts"
import * as Refused from "./RefusedVectors.ts"
import type { Vector } from "./Vector.ts"

export const vectors: readonly Vector[] = [...Accepted.vectors, ...Refused.vectors]
