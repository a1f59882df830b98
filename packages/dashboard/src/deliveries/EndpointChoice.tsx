/** Of which endpoint deliveries are shown: one of those that the server finds by a part of their URL. */
import { Loader, Select } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { endpoint, endpoints } from "../webhook_endpoints/WebhookEndpoints.ts"

/** How many are offered, and milliseconds for which somebody types on before the server is asked. */
const OFFERED = 20
const PAUSE_MS = 200

interface Props {
  readonly value: string | null
  readonly onChange: (id: string | null) => void
}

/** What the chosen one is called, which may be deleted by now. */
const useLabel = (id: string | null): string => {
  const { data, isError } = useQuery({ ...endpoint(id ?? ""), enabled: id !== null, refetchInterval: false })
  if (id === null) return ""
  return data?.url ?? (isError ? `Deleted endpoint ${id}` : id)
}

export const EndpointChoice = ({ value, onChange }: Props) => {
  const [typed, setTyped] = useState("")
  const label = useLabel(value)
  // What is chosen stands where one types, and is no search.
  const wanted = typed === label ? "" : typed
  const [q] = useDebouncedValue(wanted, PAUSE_MS)
  const { data, isPlaceholderData } = useQuery({ ...endpoints({ per_page: OFFERED, q }), refetchInterval: false })
  // Those of another search are not offered: they would give way to others under who chooses one.
  const searching = q !== wanted || isPlaceholderData || data === undefined
  const found = (searching ? [] : data.data)
    .filter(({ id }) => id !== value)
    .map(({ id, url }) => ({ value: id, label: url }))
  return (
    <Select
      label="Endpoint"
      className="filter"
      placeholder="All endpoints"
      searchable
      clearable
      value={value}
      data={value === null ? found : [{ value, label }, ...found]}
      // The server has searched. What is chosen stays: it has the label, and assistive technology may be told of it.
      filter={({ options }) => options}
      comboboxProps={{ width: "min(28rem, 90vw)", position: "bottom-start" }}
      onChange={onChange}
      onSearchChange={setTyped}
      nothingFoundMessage={searching ? "Searching …" : "No endpoint has this in its URL"}
      clearButtonProps={{ "aria-label": "All endpoints" }}
      {...(searching && wanted !== "" ? { leftSection: <Loader size={14} /> } : {})}
    />
  )
}
