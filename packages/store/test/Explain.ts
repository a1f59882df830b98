/** How the database goes about a statement. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Planning from "../src/postgres/Planning.ts"

/** A node of a plan, as EXPLAIN tells it. */
interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly Plans?: ReadonlyArray<Node>
}

const nodes = (node: Node): ReadonlyArray<Node> => [node, ...(node.Plans ?? []).flatMap(nodes)]

/** For a statement that is left to the planner. */
export const asIs: typeof Planning.byKey = (_, effect) => effect

/** The kinds of scans by which a statement reads the tables, and the rows that each of them looks at, planned as it is where it runs. */
export const explain = (text: string, params: ReadonlyArray<unknown>, planned = Planning.byKey) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const explained = sql.unsafe<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: Node }> }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      params,
    )
    // What it would remove is there afterwards.
    const rows = yield* Effect.flip(sql.withTransaction(Effect.flatMap(planned(sql, explained), Effect.fail)))
    if (!Array.isArray(rows)) return yield* Effect.die(rows)
    const scans = nodes(rows[0]["QUERY PLAN"][0].Plan).filter(
      (node) =>
        node["Relation Name"] !== undefined && node["Node Type"] !== "ModifyTable" && node["Node Type"] !== "LockRows",
    )
    const looked = scans.map(
      (scan) => scan["Actual Loops"] * (scan["Actual Rows"] + (scan["Rows Removed by Filter"] ?? 0)),
    )
    return { kinds: [...new Set(scans.map((scan) => scan["Node Type"]))].toSorted(), most: Math.max(...looked) }
  })
