/** Disabling an endpoint, after saying what that stops. */
import { Text } from "@mantine/core"
import { useChange } from "../Client.ts"
import { Confirm } from "../parts/Confirm.tsx"
import { type Endpoint, modify, stale } from "./WebhookEndpoints.ts"

export const Disable = ({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) => {
  const change = useChange(({ id }: Endpoint) => modify({ id, status: "disabled" }), {
    stale: [...stale, ["deliveries"]],
    said: () => "The endpoint is disabled.",
  })
  return (
    <Confirm subject={endpoint} change={change} action="Disable endpoint" onClose={onClose}>
      <Text size="sm">
        Nothing is sent to <strong className="mono">{endpoint.url}</strong> until somebody enables it, and deliveries on
        their way are canceled. What it misses can be recovered when it is enabled again.
      </Text>
    </Confirm>
  )
}
