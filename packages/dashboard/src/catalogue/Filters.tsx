/** What lists are narrowed by: the store or product of a record, and how it stands. */
import { NativeSelect } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { FilterProps } from "./Listing.tsx"
import { type Kind, known } from "./Records.ts"
import { kinds } from "./Words.ts"

interface Choice {
  readonly value: string
  readonly label: string
}

interface Props extends FilterProps {
  readonly label: string
  readonly all: string
  readonly choices: ReadonlyArray<Choice>
}

const Choose = ({ label, all, choices, value, onChange }: Props) => {
  // The address may name one that is deleted, or beyond those that are listed here.
  const other = value !== "" && choices.every((choice) => choice.value !== value)
  return (
    <NativeSelect
      label={label}
      className="filter"
      value={value}
      data={[{ value: "", label: all }, ...choices, ...(other ? [{ value, label: value }] : [])]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

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
  const choices = Object.entries(words).map(([value, word]) => ({ value, label: word.label }))
  return (props: FilterProps) => <Choose {...props} label={label} all={all} choices={choices} />
}

/** The names of the records that others refer to, by their ids; of one that is not known here, the id. */
export const useNames = (kind: Extract<Kind, "stores" | "products">): ((id: string) => string) => {
  const { data } = useQuery(known(kind))
  const names = new Map<string, string>((data?.data ?? []).map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? id
}
