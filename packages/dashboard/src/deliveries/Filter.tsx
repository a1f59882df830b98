/** Which of the deliveries are shown. */
import { Button, Group, NativeSelect } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { eventTypes, grouped, spoken } from "../webhook_endpoints/EventTypes.ts"
import { known } from "../webhook_endpoints/WebhookEndpoints.ts"
import { type DeliverySearch, deliverySearch, statuses } from "./Search.ts"

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

const Endpoints = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => {
  const { data } = useQuery(known)
  const all = data?.data ?? []
  // The address may name one that is deleted, or beyond those that are listed here.
  const other = value !== "" && all.every(({ id }) => id !== value)
  return (
    <NativeSelect
      label="Endpoint"
      className="filter"
      value={value}
      data={[
        { value: "", label: "All endpoints" },
        ...all.map(({ id, url }) => ({ value: id, label: url })),
        ...(other ? [{ value, label: value }] : []),
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
      <NativeSelect
        label="Status"
        className="filter"
        value={status ?? ""}
        data={[
          { value: "", label: "All statuses" },
          ...Object.entries(statuses).map(([value, { label }]) => ({ value, label })),
        ]}
        onChange={({ currentTarget: { value } }) => choose({ status: value })}
      />
      <Events value={event ?? ""} onChange={(value) => choose({ event: value })} />
      <Endpoints value={endpoint_id ?? ""} onChange={(value) => choose({ endpoint_id: value })} />
      {(status ?? event ?? endpoint_id) !== undefined && (
        <Button variant="subtle" color="gray" onClick={() => onChange({})}>
          Show all
        </Button>
      )}
    </Group>
  )
}
