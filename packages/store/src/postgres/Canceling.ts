/** What a change of an endpoint, or its removal, means for the deliveries it still had to get. */
import { WebhookEndpoint } from "@tc/domain"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { isOutdated } from "../Endings.ts"
import { Handoff } from "../Handoff.ts"

type Row = WebhookEndpoint.WebhookEndpoint

/**
 * What happens in the transaction that changes or (null) removes an endpoint: the row is locked and written already. Its
 * pending deliveries are canceled when it stops being active; those under lease are left to their worker.
 */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const handoff = yield* Handoff

  return Effect.fnUntraced(function* (
    before: Row,
    after: Row | null,
    now: string,
  ): Effect.fn.Return<void, SqlError.SqlError> {
    const { account_id, id: endpoint_id } = before
    if (before.status === "active" && after?.status !== "active") {
      yield* sql`
        UPDATE tc.deliveries SET status = 'canceled', due_at = NULL, updated_at = ${now}
        WHERE account_id = ${account_id} AND endpoint_id = ${endpoint_id} AND status = 'pending' AND due_at IS NOT NULL`
    }
    if (isOutdated(before, after)) {
      yield* sql.afterCommit(Effect.sync(() => handoff.recall({ account_id, endpoint_id })))
    }
  })
})
