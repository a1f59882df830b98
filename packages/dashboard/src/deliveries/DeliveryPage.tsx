/** One delivery: where it goes, how it stands, every attempt, and the body. */
import { Box, Button, Group, Skeleton } from "@mantine/core"
import { IconRefresh } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { useChange } from "../Client.ts"
import { Page } from "../layout/Page.tsx"
import { Copy } from "../parts/Copy.tsx"
import { Facts } from "../parts/Facts.tsx"
import { PageLink } from "../parts/PageLink.tsx"
import { Problem } from "../parts/Problem.tsx"
import { Time } from "../parts/Time.tsx"
import { useMay } from "../session/Session.ts"
import { endpoint } from "../webhook_endpoints/WebhookEndpoints.ts"
import { Attempts } from "./Attempts.tsx"
import { Body } from "./Body.tsx"
import { DeliveryStatus, Due } from "./Columns.tsx"
import { curl } from "./Curl.ts"
import { delivery, retry, stale, type WithBody } from "./Deliveries.ts"

const factsOf = (one: WithBody, url: string | undefined) => [
  { name: "Status", value: <DeliveryStatus status={one.status} /> },
  {
    name: "Endpoint",
    value: (
      <PageLink to="/webhook-endpoints/$id" params={{ id: one.endpoint_id }} size="sm" className="mono">
        {url ?? one.endpoint_id}
      </PageLink>
    ),
  },
  { name: "Attempts", value: one.attempt_count },
  { name: "Next attempt", value: <Due at={one.due_at} /> },
  { name: "Created", value: <Time at={one.created_at} /> },
  { name: "Changed", value: <Time at={one.updated_at} /> },
  { name: "Id", value: <span className="mono">{one.id}</span> },
  { name: "Event’s id", value: <span className="mono">{one.event_id}</span> },
]

interface Props {
  readonly one: WithBody
  readonly url: string | undefined
}

const Shown = ({ one, url }: Props) => (
  <>
    <Facts facts={factsOf(one, url)} expected={180} />
    <Attempts attempts={one.attempts} />
    <Body body={one.body} />
  </>
)

/** Its endpoint may be deleted by now: then there is no URL. */
const useUrl = (id: string | undefined): string | undefined =>
  useQuery({ ...endpoint(id ?? ""), enabled: id !== undefined, refetchInterval: false }).data?.url

const Buttons = ({ one, url, onRetry, pending }: Props & { onRetry: () => void; pending: boolean }) => (
  <Group gap="xs">
    {url !== undefined && one.body !== null && (
      <Copy value={curl(url, one, one.body)} label="Copy as curl" variant="default" />
    )}
    {useMay("developer") && (
      <Button leftSection={<IconRefresh size={16} aria-hidden />} loading={pending} onClick={onRetry}>
        Send again
      </Button>
    )}
  </Group>
)

export const DeliveryPage = () => {
  const { id } = useParams({ from: "/shell/deliveries/$id" })
  const { data, error, refetch } = useQuery(delivery(id))
  const url = useUrl(data?.endpoint_id)
  const change = useChange(retry, { stale, said: () => "The delivery is sent again now." })
  return (
    <>
      <PageLink to="/deliveries" size="sm">
        Deliveries
      </PageLink>
      <Page
        title={data?.event ?? "Delivery"}
        about="One event on its way to one endpoint."
        action={
          data !== undefined && (
            <Buttons one={data} url={url} onRetry={() => change.mutate({ id })} pending={change.isPending} />
          )
        }
      />
      {change.error !== null && (
        <Box mb="md">
          <Problem error={change.error} title="It could not be sent again" />
        </Box>
      )}
      {error !== null && data === undefined ? (
        <Problem title="The delivery could not be loaded" error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton h={480} radius="lg" />
      ) : (
        <Shown one={data} url={url} />
      )}
    </>
  )
}
