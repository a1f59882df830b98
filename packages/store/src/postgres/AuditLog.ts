/** The audit log in PostgreSQL. */
import { AuditEntry, Page } from "@tc/domain"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Service from "../AuditLog.ts"
import * as Failure from "./Failure.ts"
import * as Pruning from "./Pruning.ts"
import { plain } from "./Table.ts"

const decode = Schema.decodeUnknownSync(AuditEntry.AuditEntry)

export const layer = Layer.effect(
  Service.AuditLog,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const append = (entry: AuditEntry.AuditEntry) => sql`INSERT INTO tc.audit_entries ${sql.insert(entry)}`
    return Service.AuditLog.of({
      append: (entry) => append(entry).pipe(Effect.asVoid, Failure.orDie),
      // What the change does in a transaction of its own becomes part of this one.
      noted: <A, E, R>(change: Effect.Effect<A, E, R>, tell: (answer: A) => AuditEntry.AuditEntry | null) =>
        Effect.gen(function* () {
          const answer = yield* change
          const entry = tell(answer)
          if (entry !== null) yield* append(entry)
          return answer
          // No failure of the database is left; E may be anything else.
        }).pipe(sql.withTransaction, Failure.orDie) as Effect.Effect<A, E, R>,
      list: (account_id, { action, member_id, ...request }) =>
        Effect.gen(function* () {
          const filter = sql.and([
            sql`account_id = ${account_id}`,
            ...(action === undefined ? [] : [sql`action = ${action}`]),
            ...(member_id === undefined ? [] : [sql`member_id = ${member_id}`]),
          ])
          const rows = yield* sql<object>`SELECT * FROM tc.audit_entries WHERE ${filter}
            ORDER BY created_at DESC, id DESC LIMIT ${request.per_page} OFFSET ${(request.page - 1) * request.per_page}`
          const [count] = yield* sql<{ readonly total: number }>`
            SELECT count(*)::int AS total FROM tc.audit_entries WHERE ${filter}`
          return Page.make(
            request,
            rows.map((row) => decode(plain(row))),
            count!.total,
          )
        }).pipe(Failure.orDie),
      prune: (before) =>
        Pruning.prune(sql, "audit_entries", "account_id, id", "created_at < $1", [before]).pipe(Failure.orDie),
    })
  }),
)
