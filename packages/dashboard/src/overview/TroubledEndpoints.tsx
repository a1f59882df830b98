/** The endpoints that somebody should look at, the worst first. */
import { Badge, Group, Text, Title } from "@mantine/core"
import { IconCircleCheck } from "@tabler/icons-react"
import { activity } from "../parts/Activity.tsx"
import { PageLink } from "../parts/PageLink.tsx"
import { type Column, Rows } from "../parts/Rows.tsx"
import { failures } from "../webhook_endpoints/WebhookEndpoints.ts"
import { reasons, type Troubled } from "./Overview.ts"

const columns: ReadonlyArray<Column<Troubled>> = [
  {
    name: "Endpoint",
    cell: ({ id, url }) => (
      <PageLink to="/webhook-endpoints/$id" params={{ id }} size="sm" fw={500} className="mono line" title={url}>
        {url}
      </PageLink>
    ),
  },
  {
    name: "Trouble",
    width: 300,
    cell: ({ reason, consecutive_failures }) => (
      <Group gap="xs">
        <Badge color={reasons[reason].color}>{reasons[reason].label}</Badge>
        {consecutive_failures > 0 && (
          <Text size="xs" c="dimmed">
            {failures(consecutive_failures)}
          </Text>
        )}
      </Group>
    ),
  },
  ...activity,
]

export const TroubledEndpoints = ({ rows }: { rows: ReadonlyArray<Troubled> | undefined }) => (
  <section aria-labelledby="troubled">
    <Title order={2} size="h4" mb="sm" id="troubled">
      Endpoints in trouble
    </Title>
    {rows?.length === 0 ? (
      <Group className="panel" p="md" gap="xs" wrap="nowrap">
        <IconCircleCheck size={20} color="var(--mantine-color-teal-light-color)" aria-hidden />
        <Text size="sm">None. Endpoints that fail, or were disabled for it, are listed here.</Text>
      </Group>
    ) : (
      <Rows label="Endpoints in trouble" columns={columns} rows={rows} expected={1} id={({ id }) => id} live />
    )}
  </section>
)
