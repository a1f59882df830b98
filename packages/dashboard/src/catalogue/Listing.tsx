/** Records of one kind in a table, to be searched and narrowed. */
import { Group } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { Page } from "../layout/Page.tsx"
import { Empty } from "../parts/Empty.tsx"
import { Loaded } from "../parts/Loaded.tsx"
import { Pages } from "../parts/Pages.tsx"
import { type Column, Rows } from "../parts/Rows.tsx"
import { Search } from "../parts/Search.tsx"
import { ShowAll } from "../parts/ShowAll.tsx"
import { Example } from "./Example.tsx"
import { RecordLink } from "./Links.tsx"
import { type Kind, records, type Summary } from "./Records.ts"
import { type CatalogueSearch, catalogueSearch, filter_names, type FilterName } from "./Search.ts"
import { kinds } from "./Words.ts"

/** A control that narrows a list by one column. */
export interface FilterProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

interface Props<K extends Kind> {
  readonly kind: K
  readonly columns: ReadonlyArray<Column<Summary<K>>>
  readonly filters?: Partial<Readonly<Record<FilterName, (props: FilterProps) => ReactNode>>>
}

const isId = (q: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu.test(q)

const Nothing = ({ kind, filtered, q = "" }: { kind: Kind; filtered: boolean; q?: string | undefined }) => {
  const { many, icon, example } = kinds[kind]
  return filtered ? (
    <Empty
      icon={icon}
      title={`No ${many.toLowerCase()} like this`}
      description="Search for something else, choose other filters, or show all."
    >
      {isId(q) && (
        <RecordLink kind={kind} id={q}>
          Open the {kinds[kind].one.toLowerCase()} with this id
        </RecordLink>
      )}
    </Empty>
  ) : (
    <Empty
      icon={icon}
      title={`No ${many.toLowerCase()} yet`}
      description="Programs create them through the REST API. This is how, with an API key that may write:"
    >
      <Example {...example} />
    </Empty>
  )
}

/** Only the filters that this kind has: the address may name those of others. */
const own = (search: CatalogueSearch, names: ReadonlyArray<string>): CatalogueSearch =>
  catalogueSearch(Object.fromEntries(Object.entries(search).filter(([name]) => ["page", "q", ...names].includes(name))))

export const Listing = <K extends Kind>({ kind, columns, filters = {} }: Props<K>) => {
  const all = useSearch({ from: "/shell/catalogue/$kind" })
  const navigate = useNavigate({ from: "/catalogue/$kind" })
  const search = own(all, Object.keys(filters))
  const found = useQuery(records(kind, search))
  const { many, about, searched } = kinds[kind]
  const { page: _, ...narrowed } = search
  // Another field takes the place of one whose search still waits.
  const [cleared, setCleared] = useState(0)
  const filtered = Object.keys(narrowed).length > 0
  const show = (next: CatalogueSearch, replace = false) => void navigate({ search: next, replace })
  // Another choice begins at its first page; an empty one is left out of the address.
  const choose = (name: FilterName | "q", value: string) =>
    show(catalogueSearch({ ...narrowed, [name]: value }), name === "q")
  return (
    <>
      <Page title={many} about={about} />
      <Group mb="md" align="flex-end">
        <Search
          key={cleared}
          label={`Search by ${searched}`}
          value={search.q ?? ""}
          onSearch={(value) => choose("q", value)}
        />
        {filter_names.map((name) => {
          const Filter = filters[name]
          return Filter && <Filter key={name} value={search[name] ?? ""} onChange={(value) => choose(name, value)} />
        })}
        <ShowAll
          onClick={() => {
            setCleared(cleared + 1)
            show({})
          }}
        />
      </Group>
      <Loaded query={found} what={many.toLowerCase()}>
        {found.data?.data.length === 0 ? (
          <Nothing kind={kind} filtered={filtered} q={search.q} />
        ) : (
          <Rows label={many} columns={columns} rows={found.data?.data} expected={10} id={({ id }) => id} />
        )}
      </Loaded>
      <Pages meta={found.data?.meta} onPage={(page, replace) => show({ ...search, page }, replace)} />
    </>
  )
}
