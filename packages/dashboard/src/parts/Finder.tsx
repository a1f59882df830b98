/** Narrows a list to what belongs to one of many: of those that the server finds as somebody types. */
import { Loader, Select } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, type QueryKey, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { Choice } from "./Choose.tsx"

/** Milliseconds for which somebody types on before the server is asked. */
const PAUSE_MS = 200

/** How many the server is asked for. */
export const OFFERED = 20

interface Props {
  readonly label: string
  /** What it says while nothing is chosen. */
  readonly all: string
  /** What it says where nothing is found. */
  readonly none: string
  readonly value: string | null
  /** What the chosen one is called. */
  readonly called: string
  /** Asks for those that have this part of a name; for all, where it is empty. */
  readonly find: (q: string, signal: AbortSignal) => Promise<ReadonlyArray<Choice>>
  /** What they are kept under. */
  readonly queryKey: QueryKey
  readonly onChange: (id: string | null) => void
}

export const Finder = ({ label, all, none, value, called, find, queryKey, onChange }: Props) => {
  const [typed, setTyped] = useState("")
  // What is chosen stands where one types, and is no search.
  const wanted = value !== null && typed === called ? "" : typed
  const [q] = useDebouncedValue(wanted, PAUSE_MS)
  const { data, isPlaceholderData } = useQuery({
    queryKey: [...queryKey, "found", q],
    queryFn: ({ signal }) => find(q, signal),
    placeholderData: keepPreviousData,
  })
  // Those of another search are not offered: they would give way to others under who chooses one.
  const searching = q !== wanted || isPlaceholderData || data === undefined
  const found = (searching ? [] : data).filter((choice) => choice.value !== value)
  return (
    <Select
      label={label}
      className="filter"
      placeholder={all}
      searchable
      clearable
      value={value}
      data={value === null ? found : [{ value, label: called }, ...found]}
      // The server has searched. What is chosen stays: it has the label, and assistive technology may be told of it.
      filter={({ options }) => options}
      comboboxProps={{ width: "min(28rem, 90vw)", position: "bottom-start" }}
      onChange={onChange}
      onSearchChange={setTyped}
      nothingFoundMessage={searching ? "Searching …" : none}
      clearButtonProps={{ "aria-label": all }}
      {...(searching && wanted !== "" ? { leftSection: <Loader size={14} /> } : {})}
    />
  )
}
