/** One delivery: where it goes, how it stands, every attempt, and the body. */
import { Box, Group, Skeleton } from "@mantine/core"
import { IconRefresh } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { useMemo } from "react"
import { RecordLink } from "../catalogue/Links.tsx"
import { useChange } from "../Client.ts"
import { Page } from "../layout/Page.tsx"
import { Copy } from "../parts/Copy.tsx"
import { Facts } from "../parts/Facts.tsx"
import { Loaded } from "../parts/Loaded.tsx"
import { LoadingButton } from "../parts/LoadingButton.tsx"
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
import { subjectOf } from "./Subject.ts"
import { Verify } from "./Verify.tsx"

const Subject = ({ event, body }: WithBody) => {
  const subject = useMemo(() => subjectOf(event, body), [event, body])
  return subject === null ? "Nothing in the catalogue" : <RecordLink {...subject}>{subject.name}</RecordLink>
}

const factsOf = (one: WithBody, url: string | undefined) => [
  { name: "Status", value: <DeliveryStatus {...one} /> },
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
  { name: "About", value: <Subject {...one} /> },
  { name: "Id", value: <span className="mono">{one.id}</span> },
  { name: "Event’s id", value: <span className="mono">{one.event_id}</span> },
]

const Shown = ({ one, url }: { one: WithBody; url: string | undefined }) => (
  <>
    <Facts facts={factsOf(one, url)} expected={180} />
    <Attempts attempts={one.attempts} />
    <Body body={one.body} />
    <Verify one={one} />
  </>
)

/** Its endpoint may be deleted by now: then there is no URL. */
const useUrl = (id: string | undefined): string | undefined =>
  useQuery({ ...endpoint(id ?? ""), enabled: id !== undefined, refetchInterval: false }).data?.url

interface ButtonsProps {
  /** Null where there is none, or none yet. */
  readonly command: string | null
  readonly disabled: boolean
  readonly pending: boolean
  readonly onRetry: () => void
}

/** Always in their places, whatever is known yet. */
const Buttons = ({ command, disabled, pending, onRetry }: ButtonsProps) => (
  <Group gap="xs">
    <Copy value={command ?? ""} disabled={command === null} label="Copy as curl" variant="default" />
    {useMay("developer") && (
      <LoadingButton
        leftSection={<IconRefresh size={16} aria-hidden />}
        disabled={disabled}
        loading={pending}
        onClick={onRetry}
      >
        Send again
      </LoadingButton>
    )}
  </Group>
)

/** Its body is removed when it is old, and its endpoint may be deleted. */
const commandOf = (one: WithBody | undefined, url: string | undefined): string | null =>
  one === undefined || one.body === null || url === undefined ? null : curl(url, one, one.body)

export const DeliveryPage = () => {
  const { id } = useParams({ from: "/shell/deliveries/$id" })
  const found = useQuery(delivery(id))
  const { data } = found
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
          <Buttons
            command={commandOf(data, url)}
            disabled={data === undefined}
            pending={change.isPending}
            onRetry={() => change.mutate({ id })}
          />
        }
      />
      {change.error !== null && (
        <Box mb="md">
          <Problem error={change.error} title="It could not be sent again" />
        </Box>
      )}
      <Loaded query={found} what="delivery">
        {data === undefined ? <Skeleton h={480} radius="lg" /> : <Shown one={data} url={url} />}
      </Loaded>
    </>
  )
}
