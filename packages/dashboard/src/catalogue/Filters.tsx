/** What lists are narrowed by: the store or product of a record, and how it stands. */
import { useQuery } from "@tanstack/react-query"
import { isMissing } from "../Api.ts"
import { choicesOf, Choose } from "../parts/Choose.tsx"
import { Finder, OFFERED } from "../parts/Finder.tsx"
import type { FilterProps } from "./Listing.tsx"
import { find, type Named, record } from "./Records.ts"
import { kinds } from "./Words.ts"

const finding = (kind: Named) => async (q: string, signal: AbortSignal) => {
  const { data } = await find(kind, { per_page: OFFERED, ...(q === "" ? {} : { q }) }, signal)
  return data.map(({ id, name }) => ({ value: id, label: name }))
}

/** Records of a kind that have names, to choose one of; the chosen one may be deleted by now. */
const Referred = ({ kind, value, onChange }: FilterProps & { kind: Named }) => {
  const { one, many } = kinds[kind]
  const { data, error } = useQuery({ ...record(kind, value), enabled: value !== "" })
  return (
    <Finder
      label={one}
      all={`All ${many.toLowerCase()}`}
      none={`No ${one.toLowerCase()} has this in its name`}
      value={value === "" ? null : value}
      called={data?.name ?? (isMissing(error) ? `Deleted ${one.toLowerCase()} ${value}` : value)}
      queryKey={["records", kind]}
      find={finding(kind)}
      onChange={(id) => onChange(id ?? "")}
    />
  )
}

export const ByStore = (props: FilterProps) => <Referred {...props} kind="stores" />
export const ByProduct = (props: FilterProps) => <Referred {...props} kind="products" />

/** A control for a column of few values, each with its word. */
export const among = (label: string, all: string, words: Readonly<Record<string, { readonly label: string }>>) => {
  const choices = choicesOf(words)
  return (props: FilterProps) => <Choose {...props} label={label} all={all} choices={choices} />
}
