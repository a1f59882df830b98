/** How an endpoint stands, as a badge, and how often it has failed of late. */
import { Badge, Group, Text } from "@mantine/core"
import { type Endpoint, failures, statuses } from "./WebhookEndpoints.ts"

export const Standing = ({ endpoint: { status, consecutive_failures } }: { endpoint: Endpoint }) => {
  const { label, color } = statuses[status]
  return (
    <Group gap={4}>
      <Badge color={color}>{label}</Badge>
      {consecutive_failures > 0 && (
        <Text size="xs" c="dimmed">
          {failures(consecutive_failures)}
        </Text>
      )}
    </Group>
  )
}
