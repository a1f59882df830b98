/** Deleting an endpoint, after saying what ends with it. */
import { Text } from "@mantine/core"
import { useChange } from "../Client.ts"
import { Confirm } from "../parts/Confirm.tsx"
import { type Endpoint, removeEndpoint, stale } from "./WebhookEndpoints.ts"

interface Props {
  readonly endpoint: Endpoint
  readonly onRemoved: () => Promise<void>
  readonly onClose: () => void
}

export const Remove = ({ endpoint, onRemoved, onClose }: Props) => {
  const change = useChange(
    async (subject: Endpoint) => {
      await removeEndpoint(subject)
      await onRemoved()
    },
    { stale, said: () => "The endpoint is deleted." },
  )
  return (
    <Confirm subject={endpoint} change={change} action="Delete endpoint" onClose={onClose}>
      <Text size="sm">
        Nothing is sent to <strong className="mono">{endpoint.url}</strong> any more, deliveries on their way are
        canceled, and its signing secret is gone. This cannot be undone.
      </Text>
      <Text size="sm" c="dimmed">
        To stop for a while only, disable it instead.
      </Text>
    </Confirm>
  )
}
