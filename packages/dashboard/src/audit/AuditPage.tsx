/** The audit log: who did what, and when. */
import type { AuditEntry } from "@tc/domain"
import { Text } from "@mantine/core"
import { IconHistory } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { Page } from "../layout/Page.tsx"
import { Empty } from "../parts/Empty.tsx"
import { Loaded } from "../parts/Loaded.tsx"
import { Pages } from "../parts/Pages.tsx"
import { type Column, Rows } from "../parts/Rows.tsx"
import { Time } from "../parts/Time.tsx"
import { audit } from "./Audit.ts"
import { Filter } from "./Filter.tsx"
import { Sentence } from "./Sentence.tsx"

/** Who did not get in may be anybody. */
const isByAnybody = (action: AuditEntry.Action): boolean =>
  action === "session.refused" || action === "session.throttled"

const columns: ReadonlyArray<Column<AuditEntry.AuditEntry>> = [
  {
    name: "Who",
    width: 280,
    cell: ({ email, action }) => (
      <Text size="sm" fw={500} className="name">
        {email ?? (isByAnybody(action) ? "Somebody" : "The server")}
      </Text>
    ),
  },
  { name: "What", cell: (entry) => <Sentence {...entry} /> },
  { name: "When", width: 150, cell: ({ created_at }) => <Time at={created_at} /> },
]

export const AuditPage = () => {
  const search = useSearch({ from: "/shell/audit-log" })
  const navigate = useNavigate({ from: "/audit-log" })
  const entries = useQuery(audit(search))
  const filtered = search.action !== undefined || search.member_id !== undefined
  return (
    <>
      <Page
        title="Audit log"
        about="Who did what in this dashboard, and who was kept out of it, in the last 400 days. Entries are never changed."
      />
      <Filter search={search} onChange={(next) => void navigate({ search: next })} />
      <Loaded query={entries} what="audit log">
        {entries.data?.data.length === 0 ? (
          <Empty
            icon={IconHistory}
            title="Nothing here"
            description={
              filtered
                ? "Nobody has done this. Choose another action or member, or show all."
                : "What members do in this dashboard is written down here."
            }
          />
        ) : (
          <Rows label="Audit log" columns={columns} rows={entries.data?.data} expected={10} id={({ id }) => id} />
        )}
      </Loaded>
      <Pages
        meta={entries.data?.meta}
        onPage={(page, replace) => void navigate({ search: { ...search, page }, replace })}
      />
    </>
  )
}
