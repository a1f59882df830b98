/** What lists are narrowed by: the store or product of a record, and how it stands. */
import { useQuery } from "@tanstack/react-query"
import { choicesOf, Choose } from "../parts/Choose.tsx"
import type { FilterProps } from "./Listing.tsx"
import { type Kind, known } from "./Records.ts"
import { kinds } from "./Words.ts"

/** Records of a kind that have names, to choose one of. */
const Referred = ({ kind, ...props }: FilterProps & { kind: "stores" | "products" }) => {
  const { one, many } = kinds[kind]
  const { data } = useQuery(known(kind))
  const choices = (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return <Choose {...props} label={one} all={`All ${many.toLowerCase()}`} choices={choices} />
}

export const ByStore = (props: FilterProps) => <Referred {...props} kind="stores" />
export const ByProduct = (props: FilterProps) => <Referred {...props} kind="products" />

/** A control for a column of few values, each with its word. */
export const among = (label: string, all: string, words: Readonly<Record<string, { readonly label: string }>>) => {
  const choices = choicesOf(words)
  return (props: FilterProps) => <Choose {...props} label={label} all={all} choices={choices} />
}

/** The names of the records that others refer to, by their ids; of one that is not known here, the id. */
export const useNames = (kind: Extract<Kind, "stores" | "products">): ((id: string) => string) => {
  const { data } = useQuery(known(kind))
  const names = new Map<string, string>((data?.data ?? []).map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? id
}
