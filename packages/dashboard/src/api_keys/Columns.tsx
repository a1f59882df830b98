/** What the list of keys shows of each, and what can be done with it. */
import { Badge, Group, Menu, Text } from "@mantine/core"
import { IconBan, IconRotateClockwise } from "@tabler/icons-react"
import { RowMenu } from "../parts/RowMenu.tsx"
import type { Column } from "../parts/Rows.tsx"
import { created, Time } from "../parts/Time.tsx"
import { type Key, statuses, statusOf } from "./ApiKeys.ts"

export const columns = (now: number): ReadonlyArray<Column<Key>> => [
  {
    name: "Name",
    cell: ({ name, prefix }) => (
      <>
        <Text size="sm" fw={500} className="name" lineClamp={3}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" className="mono">
          tc_{prefix}…
        </Text>
      </>
    ),
  },
  {
    name: "Scopes",
    width: 196,
    cell: ({ scopes }) => (
      <Group gap={4} wrap="nowrap">
        {scopes.map((scope) => (
          <Badge key={scope} variant="default">
            {scope}
          </Badge>
        ))}
      </Group>
    ),
  },
  {
    name: "Status",
    width: 128,
    cell: (key) => {
      const { label, color } = statuses[statusOf(key, now)]
      return <Badge color={color}>{label}</Badge>
    },
  },
  {
    name: "Last used",
    width: 132,
    cell: ({ last_used_at }) => (last_used_at === null ? "Never" : <Time at={last_used_at} />),
  },
  { name: "Expires", width: 132, cell: ({ expires_at }) => (expires_at === null ? "Never" : <Time at={expires_at} />) },
  created,
]

interface Props {
  readonly api_key: Key
  readonly now: number
  readonly onRotate: (key: Key) => void
  readonly onRevoke: (key: Key) => void
}

/** A key that has ended can be neither rotated nor revoked. */
export const Actions = ({ api_key, now, onRotate, onRevoke }: Props) =>
  statuses[statusOf(api_key, now)].usable ? (
    <RowMenu of={api_key.name}>
      <Menu.Item leftSection={<IconRotateClockwise size={16} aria-hidden />} onClick={() => onRotate(api_key)}>
        Rotate …
      </Menu.Item>
      <Menu.Item className="danger" leftSection={<IconBan size={16} aria-hidden />} onClick={() => onRevoke(api_key)}>
        Revoke …
      </Menu.Item>
    </RowMenu>
  ) : null
