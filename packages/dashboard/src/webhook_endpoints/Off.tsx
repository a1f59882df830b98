/** Why an endpoint is told of nothing, and what to do about it. */
import type { WebhookEndpoint } from "@tc/domain"
import { Alert, Box, Button, Group, Stack, Text } from "@mantine/core"
import { IconAlertTriangle, IconPlayerPause } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { deliveries, delivery, type Delivery } from "../deliveries/Deliveries.ts"
import { said } from "../deliveries/Outcome.tsx"
import { PageLink } from "../parts/PageLink.tsx"
import { Time } from "../parts/Time.tsx"
import type { Endpoint } from "./WebhookEndpoints.ts"

/** The status by which a receiver says that it wants nothing more. */
const GONE = 410
/** How many of the failures are shown as the reason. */
const REASONS = 3
/** Pixels that they take, kept for them so that nothing below moves when they arrive. */
const ROOM = 88

const failed = (endpoint_id: string) => deliveries({ endpoint_id, status: "failed" }, REASONS)

const Reason = ({ id, event, updated_at }: Delivery) => {
  const last = useQuery(delivery(id)).data?.attempts.at(-1)
  return (
    <Text size="sm" component="li">
      <PageLink to="/deliveries/$id" params={{ id }} size="sm" className="mono" underline="always">
        {event}
      </PageLink>{" "}
      <Time at={updated_at} />: {last === undefined ? "…" : said(last)}
    </Text>
  )
}

const Reasons = ({ id }: Pick<Endpoint, "id">) => {
  const last = useQuery(failed(id)).data?.data ?? []
  return (
    <Box mih={ROOM}>
      {last.length > 0 && <Text size="sm">The last deliveries that failed:</Text>}
      <ul>
        {last.map((one) => (
          <Reason key={one.id} {...one} />
        ))}
      </ul>
    </Box>
  )
}

const words = {
  active: null,
  disabled: { title: "This endpoint is disabled", color: "gray", reasons: false, icon: IconPlayerPause },
  "auto-disabled": {
    title: "This endpoint was disabled because its deliveries failed",
    color: "red",
    reasons: true,
    icon: IconAlertTriangle,
  },
} as const satisfies Record<WebhookEndpoint.Status, object | null>

/** Whether it has said itself that it is gone, and is to be disabled then. */
const useIsGone = ({ id, status, disable_on_gone }: Endpoint): boolean => {
  const enabled = status === "auto-disabled" && disable_on_gone
  const last = useQuery({ ...failed(id), enabled }).data?.data[0]?.id
  const attempts = useQuery({ ...delivery(last ?? ""), enabled: last !== undefined }).data?.attempts
  return enabled && attempts?.at(-1)?.status_code === GONE
}

interface Props {
  readonly endpoint: Endpoint
  /** Undefined for who may not. */
  readonly onEnable: (() => void) | undefined
}

export const Off = ({ endpoint, onEnable }: Props) => {
  const { id, status, disabled_at } = endpoint
  const word = words[status]
  const gone = useIsGone(endpoint)
  if (word === null) return null
  const title = gone ? "This endpoint was disabled because it answered 410 Gone, as its settings say" : word.title
  return (
    <Alert variant="light" color={word.color} title={title} icon={<word.icon aria-hidden />} mb="md">
      <Stack gap="sm">
        <Text size="sm">
          Nothing has been sent to it since
          {disabled_at === null ? (
            " then"
          ) : (
            <>
              {" "}
              it was disabled, <Time at={disabled_at} />
            </>
          )}
          .{" "}
          {onEnable === undefined
            ? "Ask a developer or an owner to enable it."
            : "Once the receiver works, enable it: what it missed can be sent then."}
        </Text>
        {onEnable !== undefined && (
          <Group>
            <Button size="xs" variant="default" onClick={onEnable}>
              Enable …
            </Button>
          </Group>
        )}
        {word.reasons && <Reasons id={id} />}
      </Stack>
    </Alert>
  )
}
