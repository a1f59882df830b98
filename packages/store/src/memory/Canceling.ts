/** What a change of an endpoint, or its removal, means for the deliveries it still had to get. */
import type { WebhookEndpoint } from "@tc/domain"
import { isOutdated } from "../Endings.ts"
import { cancel } from "./Leasing.ts"
import type { Follow } from "./Repository.ts"

/** What happens in the step that changes or removes an endpoint. */
export const follow: Follow<typeof WebhookEndpoint.resource> = (memory, before, after, now) => {
  if (before.status === "active" && after?.status !== "active") cancel(memory, before, now)
  const { account_id, id: endpoint_id } = before
  if (isOutdated(before, after)) memory.afterwards(() => memory.handoff.recall({ account_id, endpoint_id }))
}
