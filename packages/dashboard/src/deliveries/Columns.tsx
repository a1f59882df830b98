/** What a list of deliveries shows of each. */
import { Badge, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { PageLink } from "../parts/PageLink.tsx"
import type { Column } from "../parts/Rows.tsx"
import { created, Time, useNow } from "../parts/Time.tsx"
import { endpoint } from "../webhook_endpoints/WebhookEndpoints.ts"
import type { Delivery } from "./Deliveries.ts"
import { statuses } from "./Search.ts"

/** One that has failed before, and waits, is told from one that is new. */
const retrying = { label: "Retrying", color: "yellow" }

export const DeliveryStatus = ({ status, attempt_count }: Pick<Delivery, "status" | "attempt_count">) => {
  const { label, color } = status === "pending" && attempt_count > 0 ? retrying : statuses[status]
  return <Badge color={color}>{label}</Badge>
}

/** When the next attempt is due: a time that has come is no thing of the past. */
export const Due = ({ at }: { at: string | null }) => {
  const now = useNow()
  if (at === null)
    return (
      <Text size="sm" c="dimmed" component="span">
        None
      </Text>
    )
  return Date.parse(at) > now ? <Time at={at} /> : "Now"
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
  created,
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
  const other = useQuery({ ...endpoint(id), enabled, refetchInterval: false }).data?.url
  return (
    <span className="mono line short" title={url ?? other ?? id}>
      {url ?? other ?? id}
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
