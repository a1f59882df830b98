/** The audit log in PostgreSQL. */
import { AuditEntry, Page } from "@tc/domain"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Service from "../AuditLog.ts"
import * as Failure from "./Failure.ts"
import { plain } from "./Table.ts"

const decode = Schema.decodeUnknownSync(AuditEntry.AuditEntry)

export const layer = Layer.effect(
  Service.AuditLog,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Service.AuditLog.of({
      append: (entry) => sql`INSERT INTO tc.audit_entries ${sql.insert(entry)}`.pipe(Effect.asVoid, Failure.orDie),
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
    }),
  ),
)
