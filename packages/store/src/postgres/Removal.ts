/** Removes records with all below them: children first, each telling of its own removal. */
import { type Id, Resource } from "@tc/domain"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Relations from "../Relations.ts"
import { Outbox } from "./Outbox.ts"
import * as Table from "./Table.ts"

/** Records removed by one statement, with as many events, and the bytes of free-form JSON in them beyond the first. */
const BATCH = 500
const BATCH_BYTES = 16 * 1024 * 1024

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const outbox = yield* Outbox

  const below = (account_id: Id.AccountId, { resource, field }: Relations.Child, parents: ReadonlyArray<string>) => {
    const { table, columns, bytes, decode } = Table.make(resource).whole
    const locked = `SELECT ${columns} FROM ${table} WHERE account_id = $1 AND "${field}" = ANY ($2::uuid[]) ORDER BY id LIMIT ${BATCH} FOR UPDATE`
    const text = `SELECT ${columns}, count FROM (
      SELECT *, (count(*) OVER ())::int AS count, row_number() OVER (ORDER BY id) AS place, sum(${bytes}) OVER (ORDER BY id) AS bytes
      FROM (${locked}) AS locked
    ) AS sized WHERE place = 1 OR bytes <= ${BATCH_BYTES} ORDER BY id`
    return Effect.map(sql.unsafe<{ readonly count: number }>(text, [account_id, parents]), (rows) => ({
      rows: rows.map(decode),
      isLast: rows.length < BATCH && rows.length === (rows[0]?.count ?? 0),
    }))
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
        for (let isLast = false; !isLast;) {
          const batch = yield* below(account_id, child, ids)
          if (batch.rows.length > 0) yield* remove(child.resource, account_id, batch.rows)
          isLast = batch.isLast
        }
      }
      const text = `DELETE FROM tc.${resource.path} WHERE account_id = $1 AND id = ANY ($2::uuid[])`
      yield* outbox.commit(
        account_id,
        { text, params: [account_id, ids] },
        rows.flatMap((row) => Resource.raise(resource, "deleted", row)),
      )
    })

  return remove
})
