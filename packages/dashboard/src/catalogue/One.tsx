/** One record: what there is to say of it, and what belongs to it. */
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Page } from "../layout/Page.tsx"
import { type Fact, Facts } from "../parts/Facts.tsx"
import { Json } from "../parts/Json.tsx"
import { Loaded } from "../parts/Loaded.tsx"
import { PageLink } from "../parts/PageLink.tsx"
import { Time } from "../parts/Time.tsx"
import { History } from "./History.tsx"
import { calledBy } from "./Links.tsx"
import { type Kind, record, type Whole } from "./Records.ts"
import { kinds } from "./Words.ts"

interface Props<K extends Kind> {
  readonly kind: K
  readonly id: string
  readonly title: (one: Whole<K>) => string
  readonly facts: (one: Whole<K>) => ReadonlyArray<Fact>
  readonly children?: (one: Whole<K>) => ReactNode
  /** Free-form parts of it, by what they are called. */
  readonly json?: (one: Whole<K>) => Readonly<Record<string, object>>
}

/** What every record has. */
const common = ({ id, created_at, updated_at }: Whole<Kind>): ReadonlyArray<Fact> => [
  { name: "Created", value: <Time at={created_at} /> },
  { name: "Changed", value: <Time at={updated_at} /> },
  { name: "Id", value: <span className="mono">{id}</span> },
]

export const One = <K extends Kind>({ kind, id, title, facts, children, json }: Props<K>) => {
  const found = useQuery(record(kind, id))
  const { data } = found
  const { one, many, about } = kinds[kind]
  return (
    <>
      <PageLink to="/catalogue/$kind" params={{ kind }} size="sm">
        {many}
      </PageLink>
      <Page title={data === undefined ? one : calledBy(title(data))} about={about} />
      <Loaded query={found} what={one.toLowerCase()}>
        <Facts facts={data === undefined ? undefined : [...facts(data), ...common(data)]} expected={180} />
        {data !== undefined && children?.(data)}
        {data !== undefined && <History kind={kind} id={id} />}
        {data !== undefined &&
          Object.entries(json?.(data) ?? {}).map(([title, value]) => <Json key={title} title={title} value={value} />)}
      </Loaded>
    </>
  )
}
