/** Every delivery of the account, newest first; new ones appear by themselves. */
import { EmptyState } from "@mantine/core"
import { IconSend } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { Page } from "../layout/Page.tsx"
import { PageLink } from "../parts/PageLink.tsx"
import { Pages } from "../parts/Pages.tsx"
import { Problem } from "../parts/Problem.tsx"
import { Rows } from "../parts/Rows.tsx"
import { known } from "../webhook_endpoints/WebhookEndpoints.ts"
import { columnsWith } from "./Columns.tsx"
import { deliveries } from "./Deliveries.ts"
import { Filter } from "./Filter.tsx"

const Nothing = ({ filtered }: { filtered: boolean }) => (
  <div className="panel">
    <EmptyState
      p="xl"
      icon={<IconSend aria-hidden />}
      withIndicatorBackground
      title="No deliveries"
      description={
        filtered
          ? "There is none like this. Choose another status, event or endpoint, or show all."
          : "An event that happens is delivered to every endpoint that subscribes to it, and appears here."
      }
    >
      {!filtered && <PageLink to="/webhook-endpoints">Go to the webhook endpoints</PageLink>}
    </EmptyState>
  </div>
)

export const DeliveriesPage = () => {
  const search = useSearch({ from: "/shell/deliveries" })
  const navigate = useNavigate({ from: "/deliveries" })
  const found = useQuery(deliveries(search))
  const endpoints = useQuery(known)
  const urls = new Map(endpoints.data?.data.map(({ id, url }) => [id, url]))
  const filtered = (search.status ?? search.event ?? search.endpoint_id) !== undefined
  return (
    <>
      <Page title="Deliveries" about="Events on their way to your endpoints. New ones appear by themselves." />
      <Filter search={search} onChange={(next) => void navigate({ search: next })} />
      {found.isError && found.data === undefined ? (
        <Problem title="The deliveries could not be loaded" error={found.error} retry={() => void found.refetch()} />
      ) : found.data?.data.length === 0 ? (
        <Nothing filtered={filtered} />
      ) : (
        <Rows
          label="Deliveries"
          columns={columnsWith(urls)}
          rows={found.data?.data}
          expected={10}
          id={({ id }) => id}
        />
      )}
      <Pages quiet meta={found.data?.meta} onPage={(page) => void navigate({ search: { ...search, page } })} />
    </>
  )
}
