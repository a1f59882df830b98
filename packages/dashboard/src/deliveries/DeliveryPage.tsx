/** One delivery: where it goes, how it stands, every attempt, and the body. */
import { Box, Group, Skeleton } from "@mantine/core"
import { IconRefresh } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { useMemo } from "react"
import { isMissing } from "../Api.ts"
import { Dimmed, RecordLink } from "../catalogue/Links.tsx"
import { useChange, whenPassed } from "../Client.ts"
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

const ToEndpoint = ({ id, url }: { id: string; url: string | undefined }) => (
  <PageLink to="/webhook-endpoints/$id" params={{ id }} size="sm" className="mono">
    {url ?? id}
  </PageLink>
)

const Subject = ({ event, body }: WithBody) => {
  const subject = useMemo(() => subjectOf(event, body), [event, body])
  if (subject === null) return "Nothing in the catalogue"
  const { kind, id, name } = subject
  if (kind === null) return <ToEndpoint id={id} url={name} />
  return (
    <RecordLink kind={kind} id={id}>
      {name}
    </RecordLink>
  )
}

/** Its endpoint, as far as it is known. */
interface Its {
  readonly url: string | undefined
  readonly deleted: boolean
}

const factsOf = (one: WithBody, { url, deleted }: Its) => [
  {
    name: "Status",
    value: (
      <Group gap="xs">
        <DeliveryStatus {...one} />
        {one.status === "canceled" && <Dimmed>Its endpoint was disabled or deleted before it got it.</Dimmed>}
      </Group>
    ),
  },
  {
    name: "Endpoint",
    value: deleted ? <Dimmed>Deleted: {one.endpoint_id}</Dimmed> : <ToEndpoint id={one.endpoint_id} url={url} />,
  },
  { name: "Attempts", value: one.attempt_count },
  { name: "Next attempt", value: <Due at={one.due_at} /> },
  { name: "Created", value: <Time at={one.created_at} /> },
  { name: "Changed", value: <Time at={one.updated_at} /> },
  { name: "About", value: <Subject {...one} /> },
  { name: "Id", value: <span className="mono">{one.id}</span> },
  { name: "Event’s id", value: <span className="mono">{one.event_id}</span> },
]

const Shown = ({ one, its }: { one: WithBody; its: Its }) => (
  <>
    <Facts facts={factsOf(one, its)} expected={180} />
    <Attempts {...one} />
    <Body body={one.body} />
    <Verify one={one} />
  </>
)

/** Its endpoint may be deleted by now: then there is no URL. */
const useIts = (id: string | undefined): Its => {
  const { data, error } = useQuery({ ...endpoint(id ?? ""), enabled: id !== undefined, refetchInterval: whenPassed })
  return { url: data?.url, deleted: isMissing(error) }
}

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
  const its = useIts(data?.endpoint_id)
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
            command={commandOf(data, its.url)}
            disabled={data === undefined || its.deleted}
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
        {data === undefined ? <Skeleton h={480} radius="lg" /> : <Shown one={data} its={its} />}
      </Loaded>
    </>
  )
}
