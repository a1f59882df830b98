/** The audit log: who did what, and when. */
import type { AuditEntry } from "@tc/domain"
import { EmptyState, Text } from "@mantine/core"
import { IconHistory } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { Page } from "../layout/Page.tsx"
import { Pages } from "../parts/Pages.tsx"
import { Problem } from "../parts/Problem.tsx"
import { type Column, Rows } from "../parts/Rows.tsx"
import { Time } from "../parts/Time.tsx"
import { audit } from "./Audit.ts"
import { Filter } from "./Filter.tsx"
import { Sentence } from "./Sentence.tsx"

const columns: ReadonlyArray<Column<AuditEntry.AuditEntry>> = [
  {
    name: "Who",
    width: 280,
    cell: ({ email }) => (
      <Text size="sm" fw={500} className="name">
        {email ?? "The server"}
      </Text>
    ),
  },
  { name: "What", cell: (entry) => <Sentence {...entry} /> },
  { name: "When", width: 150, cell: ({ created_at }) => <Time at={created_at} /> },
]

const Nothing = ({ filtered }: { filtered: boolean }) => (
  <div className="panel">
    <EmptyState
      p="xl"
      icon={<IconHistory aria-hidden />}
      withIndicatorBackground
      title="Nothing here"
      description={
        filtered
          ? "Nobody has done this. Choose another action or member, or show all."
          : "What members do in this dashboard is written down here."
      }
    />
  </div>
)

export const AuditPage = () => {
  const search = useSearch({ from: "/shell/audit-log" })
  const navigate = useNavigate({ from: "/audit-log" })
  const entries = useQuery(audit(search))
  const filtered = search.action !== undefined || search.member_id !== undefined
  return (
    <>
      <Page title="Audit log" about="Who did what in this dashboard. Entries are never changed." />
      <Filter search={search} onChange={(next) => void navigate({ search: next })} />
      {entries.isError && entries.data === undefined ? (
        <Problem title="The audit log could not be loaded" error={entries.error} retry={() => void entries.refetch()} />
      ) : entries.data?.data.length === 0 ? (
        <Nothing filtered={filtered} />
      ) : (
        <Rows label="Audit log" columns={columns} rows={entries.data?.data} expected={10} id={({ id }) => id} />
      )}
      <Pages meta={entries.data?.meta} onPage={(page) => void navigate({ search: { ...search, page } })} />
    </>
  )
}
