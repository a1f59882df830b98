/** Who did what in an account. */
import { Dashboard } from "@tc/api"
import { AuditLog } from "@tc/store"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Responses from "../http/Responses.ts"

export const layer = HttpApiBuilder.group(Dashboard.Dashboard, "audit", (group) =>
  Effect.map(AuditLog, ({ list }) =>
    group.handleAll({
      list: ({ query }) =>
        Effect.flatMap(Dashboard.CurrentSession, ({ account_id }) =>
          Effect.map(list(account_id, query), (page) => Responses.json(page)),
        ),
    }),
  ),
)
