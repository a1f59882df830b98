/** What a change of an endpoint, or its removal, means for the deliveries it still had to get. */
import { Recovery, type WebhookEndpoint } from "@tc/domain"
import { isOutdated } from "../Endings.ts"
import { isRegated } from "../Gate.ts"
import { reset } from "./Gates.ts"
import { cancel } from "./Leasing.ts"
import type { Follow } from "./Repository.ts"

/** What happens in the step that changes or removes an endpoint. */
export const follow: Follow<typeof WebhookEndpoint.resource> = (memory, before, after, now) => {
  const { account_id, id: endpoint_id } = before
  if (before.status === "active" && after?.status !== "active") {
    cancel(memory, before, now)
    const rows = memory.recoveries(account_id)
    for (const row of [...rows.values()].filter((row) => row.endpoint_id === endpoint_id && row.due_at !== null)) {
      rows.set(row.id, { ...row, ...Recovery.run("cancel", row, now), due_at: null, lease: null })
    }
  }
  if (after !== null && isRegated(before, after)) {
    reset(memory, after)
    memory.afterwards(memory.handoff.wake)
  }
  if (isOutdated(before, after)) memory.afterwards(() => memory.handoff.recall({ account_id, endpoint_id }))
}
