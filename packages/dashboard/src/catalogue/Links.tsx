/** The ways from one record to others. */
import { Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { OuterLink } from "../parts/OuterLink.tsx"
import { PageLink } from "../parts/PageLink.tsx"
import type { Column } from "../parts/Rows.tsx"
import { type Kind, known, type Named, record } from "./Records.ts"
import type { CatalogueSearch } from "./Search.ts"

interface ToRecord {
  readonly kind: Kind
  readonly id: string
  readonly children: ReactNode
}

export const RecordLink = ({ kind, id, children }: ToRecord) => (
  <PageLink to="/catalogue/$kind/$id" params={{ kind, id }} size="sm" fw={500} className="name">
    {children}
  </PageLink>
)

/** What a record is called: a name of nothing but spaces can neither be seen nor pressed. */
export const calledBy = (name: string): string => (name.trim() === "" ? "(no name)" : name)

/** The column by whose names a list leads to each of its records. */
export const named = (kind: Kind): Column<{ readonly id: string; readonly name: string }> => ({
  name: "Name",
  cell: ({ id, name }) => (
    <RecordLink kind={kind} id={id}>
      {calledBy(name)}
    </RecordLink>
  ),
})

/** A record by its name, once that is known. */
export const NamedLink = ({ kind, id }: { kind: Named; id: string }) => {
  const { data } = useQuery(record(kind, id))
  return (
    <RecordLink kind={kind} id={id}>
      {data === undefined ? id : calledBy(data.name)}
    </RecordLink>
  )
}

/** A record by its name: most lists refer to few, and those beyond a page of them are asked for one by one. */
export const Name = ({ kind, id }: { kind: Named; id: string }) => {
  const { data } = useQuery(known(kind))
  const name = data?.data.find((one) => one.id === id)?.name
  const other = useQuery({ ...record(kind, id), enabled: data !== undefined && name === undefined }).data?.name
  return <span className="name">{calledBy(name ?? other ?? id)}</span>
}

interface ToList {
  readonly kind: Kind
  readonly search: CatalogueSearch
  readonly children: ReactNode
}

/** Those records of a kind that belong to this one. */
export const ListLink = ({ kind, search, children }: ToList) => (
  <PageLink to="/catalogue/$kind" params={{ kind }} search={search} size="sm">
    {children}
  </PageLink>
)

export const Dimmed = ({ children }: { children: ReactNode }) => (
  <Text size="sm" c="dimmed" component="span">
    {children}
  </Text>
)

/** A URL, or that there is none. Pictures from elsewhere are not loaded into this page. */
export const Url = ({ url }: { url: string | null }) => (url === null ? <Dimmed>None</Dimmed> : <OuterLink url={url} />)
