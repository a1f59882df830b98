/** What the list of endpoints shows of each, and what can be done with it there. */
import { Menu, Text, Tooltip } from "@mantine/core"
import { IconPencil, IconTrash } from "@tabler/icons-react"
import { activity } from "../parts/Activity.tsx"
import { PageLink } from "../parts/PageLink.tsx"
import { RowMenu } from "../parts/RowMenu.tsx"
import type { Column } from "../parts/Rows.tsx"
import { howMany, isAll } from "./EventTypes.ts"
import { Standing } from "./Standing.tsx"
import type { Endpoint, Listed } from "./WebhookEndpoints.ts"

/** How many events; which, for who points at it or tabs to it. */
const Told = ({ events }: Pick<Endpoint, "events">) =>
  isAll(events) ? (
    howMany(events)
  ) : (
    <Tooltip label={events.join(", ")} withArrow multiline maw={320}>
      {/* Who has no mouse gets to the names with the Tab key. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <span className="time" tabIndex={0}>
        {howMany(events)}
      </span>
    </Tooltip>
  )

export const columns: ReadonlyArray<Column<Listed>> = [
  {
    name: "Endpoint",
    cell: ({ id, url, description }) => (
      <>
        <Tooltip label={url} withArrow multiline maw={480} className="name">
          <PageLink to="/webhook-endpoints/$id" params={{ id }} size="sm" fw={500} className="mono line">
            {url}
          </PageLink>
        </Tooltip>
        {description !== null && (
          <Text size="xs" c="dimmed" className="line" title={description}>
            {description}
          </Text>
        )}
      </>
    ),
  },
  { name: "Status", width: 240, cell: (endpoint) => <Standing endpoint={endpoint} /> },
  ...activity,
  { name: "Events", width: 112, cell: ({ events }) => <Told events={events} /> },
]

interface Props {
  readonly endpoint: Endpoint
  readonly onEdit: (endpoint: Endpoint) => void
  readonly onRemove: (endpoint: Endpoint) => void
}

export const Actions = ({ endpoint, onEdit, onRemove }: Props) => (
  <RowMenu of={endpoint.url}>
    <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onEdit(endpoint)}>
      Edit …
    </Menu.Item>
    <Menu.Item className="danger" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => onRemove(endpoint)}>
      Delete …
    </Menu.Item>
  </RowMenu>
)
