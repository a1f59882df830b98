/** Ends what an endpoint still had to get, once it stops being active or is deleted. */
import type { WebhookEndpoint } from "@tc/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isOutdated } from "../Endings.ts"
import { Handoff } from "../Handoff.ts"
import type { Follow } from "./Repository.ts"

/** Cancels the pending deliveries of an endpoint. Those under lease are left to their worker. */
export const cancel = (account_id: string, endpoint_id: string, now: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      UPDATE tc.deliveries SET status = 'canceled', due_at = NULL, updated_at = ${now}
      WHERE account_id = ${account_id} AND endpoint_id = ${endpoint_id} AND status = 'pending' AND due_at IS NOT NULL`,
  )

/** What happens in the transaction that changes or removes an endpoint. */
export const follow: Effect.Effect<Follow<typeof WebhookEndpoint.resource>, never, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const handoff = yield* Handoff
    const step: Follow<typeof WebhookEndpoint.resource> = (before, after, now) => {
      const { account_id, id: endpoint_id } = before
      const canceled =
        before.status === "active" && after?.status !== "active"
          ? Effect.provideService(cancel(account_id, endpoint_id, now), SqlClient.SqlClient, sql)
          : Effect.void
      return isOutdated(before, after)
        ? Effect.andThen(canceled, sql.afterCommit(Effect.sync(() => handoff.recall({ account_id, endpoint_id }))))
        : canceled
    }
    return step
  },
)
