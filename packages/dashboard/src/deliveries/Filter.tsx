/** Which of the deliveries are shown. */
import { Group, NativeSelect } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { choicesOf, Choose } from "../parts/Choose.tsx"
import { ShowAll } from "../parts/ShowAll.tsx"
import { eventTypes, grouped, spoken } from "../webhook_endpoints/EventTypes.ts"
import { EndpointChoice } from "./EndpointChoice.tsx"
import { type DeliverySearch, deliverySearch, statuses } from "./Search.ts"
import { SpanChoice } from "./SpanChoice.tsx"

interface Props {
  readonly search: DeliverySearch
  readonly onChange: (search: DeliverySearch) => void
}

const Events = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => {
  const { data = [] } = useQuery(eventTypes)
  const gone = value !== "" && data.every(({ name }) => name !== value)
  return (
    <NativeSelect
      label="Event"
      className="filter"
      value={value}
      data={[
        { value: "", label: "All events" },
        ...(gone ? [value] : []),
        ...grouped(data).map(([name, found]) => ({ group: spoken(name), items: found.map((type) => type.name) })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

export const Filter = ({ search, onChange }: Props) => {
  // Another choice begins at its first page; an empty one is left out of the address.
  const choose = (choice: Record<string, string>) => onChange(deliverySearch({ ...search, page: 1, ...choice }))
  const { status, event, endpoint_id } = search
  return (
    <Group mb="md" align="flex-end">
      <Choose
        label="Status"
        all="All statuses"
        choices={choicesOf({ ...statuses, pending: "Pending or retrying" })}
        value={status ?? ""}
        onChange={(value) => choose({ status: value })}
      />
      <Events value={event ?? ""} onChange={(value) => choose({ event: value })} />
      <EndpointChoice value={endpoint_id ?? null} onChange={(value) => choose({ endpoint_id: value ?? "" })} />
      <SpanChoice span={search} onChange={choose} />
      <ShowAll onClick={() => onChange({})} />
    </Group>
  )
}
