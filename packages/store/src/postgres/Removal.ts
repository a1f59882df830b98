/** Removes records with all below them: children first, each telling of its own removal. */
import type { Id, Resource } from "@tc/domain"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Changes from "../Changes.ts"
import * as Relations from "../Relations.ts"
import { Outbox } from "./Outbox.ts"
import * as Table from "./Table.ts"

/** Records removed by one statement, with as many events. */
const BATCH = 500

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const outbox = yield* Outbox

  const below = (account_id: Id.AccountId, { resource, field }: Relations.Child, parents: ReadonlyArray<string>) => {
    const { table, columns, decode } = Table.make(resource)
    return Effect.map(
      sql.unsafe<object>(
        `SELECT ${columns} FROM ${table} WHERE account_id = $1 AND "${field}" = ANY ($2::uuid[]) ORDER BY id LIMIT ${BATCH} FOR UPDATE`,
        [account_id, parents],
      ),
      (rows) => rows.map(decode),
    )
  }

  /** Removes rows that are locked already, at most `BATCH` of them. */
  const remove = (
    resource: Resource.Any,
    account_id: Id.AccountId,
    rows: ReadonlyArray<Resource.AnyRow>,
  ): Effect.Effect<void, SqlError.SqlError> =>
    Effect.gen(function* () {
      const ids = rows.map(({ id }) => id)
      for (const child of Relations.children(resource)) {
        let batch = yield* below(account_id, child, ids)
        while (batch.length > 0) {
          yield* remove(child.resource, account_id, batch)
          batch = batch.length < BATCH ? [] : yield* below(account_id, child, ids)
        }
      }
      const text = `DELETE FROM tc.${resource.path} WHERE account_id = $1 AND id = ANY ($2::uuid[])`
      yield* outbox.commit(
        account_id,
        { text, params: [account_id, ids] },
        rows.flatMap((row) => Changes.told(resource, "deleted", row)),
      )
    })

  return remove
})
