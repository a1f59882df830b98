/** What a list of deliveries shows of each. */
import { Badge, Text } from "@mantine/core"
import { PageLink } from "../parts/PageLink.tsx"
import type { Column } from "../parts/Rows.tsx"
import { Time, useNow } from "../parts/Time.tsx"
import type { Delivery } from "./Deliveries.ts"
import { statuses } from "./Search.ts"

export const DeliveryStatus = ({ status }: Pick<Delivery, "status">) => (
  <Badge variant="light" color={statuses[status].color} tt="none" fw={500}>
    {statuses[status].label}
  </Badge>
)

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
  { name: "Status", width: 120, cell: ({ status }) => <DeliveryStatus status={status} /> },
  { name: "Attempts", width: 96, cell: ({ attempt_count }) => attempt_count },
  {
    name: "Next attempt",
    width: 132,
    cell: ({ due_at }) => <Due at={due_at} />,
  },
  { name: "Created", width: 132, cell: ({ created_at }) => <Time at={created_at} /> },
]

/** For one endpoint. */
export const columns: ReadonlyArray<Column<Delivery>> = [event, ...others]

/** For all endpoints, whose URLs are looked up by their ids. */
export const columnsWith = (urls: ReadonlyMap<string, string>): ReadonlyArray<Column<Delivery>> => [
  event,
  {
    name: "Endpoint",
    cell: ({ endpoint_id }) => (
      <span className="mono line short" title={urls.get(endpoint_id) ?? endpoint_id}>
        {urls.get(endpoint_id) ?? endpoint_id}
      </span>
    ),
  },
  ...others,
]
