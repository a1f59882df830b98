/** What endpoints were before they were changed, and what attempts were sent with, in memory. */
import { Limits, WebhookEndpoint } from "@tc/domain"
import { find, replaced, type SentWith } from "../EndpointSettings.ts"
import type { DeliveryRow, FormerRow, Memory } from "./Memory.ts"
import type { Follow } from "./Repository.ts"

/** What an endpoint was, the oldest first. */
const of = (memory: Memory["Service"], account_id: string, endpoint_id: string): ReadonlyArray<FormerRow> =>
  [...memory.former(account_id).values()].filter((row) => row.endpoint_id === endpoint_id)

/** What happens in the step that changes or removes an endpoint. */
export const follow: Follow<typeof WebhookEndpoint.resource> = (memory, before, after, now) => {
  const { account_id, id: endpoint_id } = before
  const rows = memory.former(account_id)
  const former = of(memory, account_id, endpoint_id)
  const settings = after === null ? undefined : replaced(before, after, now)
  if (settings !== undefined) {
    const id = memory.nextId(Date.parse(now))
    rows.set(id, { ...settings, id, endpoint_id })
  }
  const over = after === null ? former : settings === undefined ? [] : former.slice(0, 1 - Limits.FORMER_SETTINGS_MAX)
  for (const { id } of over) rows.delete(id)
}

/** Part of a step. */
export const sentWith = (
  memory: Memory["Service"],
  { account_id, endpoint_id, attempts, marks }: DeliveryRow,
): SentWith | null => {
  const endpoint = memory.records(WebhookEndpoint.resource, account_id).get(endpoint_id)
  if (endpoint === undefined) return null
  const present = { url: endpoint.url, secret: endpoint.secret }
  const former = of(memory, account_id, endpoint_id).map(({ url, secret, until }) => ({ url, secret, until }))
  const all = attempts.map(({ started_at }, nth) => find({ started_at, mark: marks[nth] ?? 0 }, present, former))
  return { present, attempts: all }
}
