/** What a list of deliveries shows of each. */
import { Badge, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { whenPassed } from "../Client.ts"
import { isMissing } from "../Api.ts"
import { PageLink } from "../parts/PageLink.tsx"
import type { Column } from "../parts/Rows.tsx"
import { Time, usePresent } from "../parts/Time.tsx"
import { endpoint } from "../webhook_endpoints/WebhookEndpoints.ts"
import { type Delivery, happenedAt } from "./Deliveries.ts"
import { statuses } from "./Search.ts"

/** One that has failed before, and waits, is told from one that is new. */
const retrying = { label: "Retrying", color: "yellow" }

export const DeliveryStatus = ({ status, attempt_count }: Pick<Delivery, "status" | "attempt_count">) => {
  const { label, color } = status === "pending" && attempt_count > 0 ? retrying : statuses[status]
  return <Badge color={color}>{label}</Badge>
}

const MINUTE_MS = 60_000
/** Milliseconds in which what is due is taken, unless it waits its turn. */
const SOON_MS = 10_000

/** When the next attempt is due: a time that has come is no thing of the past. */
export const Due = ({ at }: { at: string | null }) => {
  const now = usePresent()
  if (at === null)
    return (
      <Text size="sm" c="dimmed" component="span">
        None
      </Text>
    )
  const until = Date.parse(at) - now
  if (until > MINUTE_MS) return <Time at={at} />
  if (until > 0) return <Time at={at} said="in a moment" />
  return until > -SOON_MS ? "Now" : "Waits its turn"
}

const event: Column<Delivery> = {
  name: "Event",
  cell: ({ id, event }) => (
    <PageLink to="/deliveries/$id" params={{ id }} size="sm" fw={500} className="mono">
      {event}
    </PageLink>
  ),
}

const others: ReadonlyArray<Column<Delivery>> = [
  { name: "Status", width: 120, cell: (one) => <DeliveryStatus {...one} /> },
  { name: "Attempts", width: 96, cell: ({ attempt_count }) => attempt_count },
  {
    name: "Next attempt",
    width: 132,
    cell: ({ due_at }) => <Due at={due_at} />,
  },
  // Not when it was created: a recovery creates deliveries of events that happened long before.
  { name: "Happened", width: 132, cell: (one) => <Time at={happenedAt(one)} /> },
]

/** For one endpoint. */
export const columns: ReadonlyArray<Column<Delivery>> = [event, ...others]

interface Called {
  readonly id: string
  /** Undefined until it is known. */
  readonly urls: ReadonlyMap<string, string> | undefined
}

/** An endpoint by its URL; one that is beyond those that are known is asked for by itself, and may be deleted. */
const Called = ({ id, urls }: Called) => {
  const url = urls?.get(id)
  const enabled = urls !== undefined && url === undefined
  const { data, error } = useQuery({ ...endpoint(id), enabled, refetchInterval: whenPassed })
  if (isMissing(error))
    return (
      <Text size="sm" c="dimmed" component="span" title={id}>
        Deleted
      </Text>
    )
  const called = url ?? data?.url ?? id
  return (
    <span className="mono line short" title={called}>
      {called}
    </span>
  )
}

/** For all endpoints, those that are known by the URLs of their ids. */
export const columnsWith = (urls: Called["urls"]): ReadonlyArray<Column<Delivery>> => [
  event,
  {
    name: "Endpoint",
    cell: ({ endpoint_id }) => <Called id={endpoint_id} urls={urls} />,
  },
  ...others,
]
