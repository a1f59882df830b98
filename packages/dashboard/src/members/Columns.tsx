/** What the list of members shows of each, and what an owner can do with them. */
import { ActionIcon, Avatar, Badge, Box, Group, Menu, Text } from "@mantine/core"
import { IconDots, IconUserMinus, IconUserShield } from "@tabler/icons-react"
import type { Column } from "../parts/Rows.tsx"
import { Time } from "../parts/Time.tsx"
import { role_names } from "../session/Session.ts"
import type { Member } from "./Members.ts"

export const columns = (me: Member): ReadonlyArray<Column<Member>> => [
  {
    name: "Member",
    cell: ({ id, name, email }) => (
      <Group gap="sm" wrap="nowrap">
        <Avatar name={name} color="accent" radius="xl" size={32} aria-hidden />
        <Box miw={0}>
          <Group gap="xs">
            <Text size="sm" fw={500} className="name">
              {name}
            </Text>
            {id === me.id && (
              <Badge size="sm" variant="light" tt="none" fw={500}>
                You
              </Badge>
            )}
          </Group>
          <Text size="xs" c="dimmed" className="name">
            {email}
          </Text>
        </Box>
      </Group>
    ),
  },
  {
    name: "Role",
    width: 140,
    cell: ({ role }) => (
      <Badge variant="default" tt="none" fw={500}>
        {role_names[role]}
      </Badge>
    ),
  },
  {
    name: "Last seen",
    width: 150,
    cell: ({ last_seen_at }) => (last_seen_at === null ? "Never" : <Time at={last_seen_at} />),
  },
  { name: "Joined", width: 150, cell: ({ created_at }) => <Time at={created_at} /> },
]

interface Props {
  readonly member: Member
  readonly me: Member
  /** The one owner that an account keeps can neither be removed nor become something else. */
  readonly last_owner: boolean
  readonly onChangeRole: (member: Member) => void
  readonly onRemove: (member: Member) => void
}

export const Actions = ({ member, me, last_owner, onChangeRole, onRemove }: Props) => (
  <Menu position="bottom-end" shadow="md" width={last_owner ? 260 : 200}>
    <Menu.Target>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Actions for ${member.name}`}>
        <IconDots size={18} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      {last_owner && <Menu.Label>The only owner cannot be changed: make somebody else one first.</Menu.Label>}
      <Menu.Item
        disabled={last_owner}
        leftSection={<IconUserShield size={16} aria-hidden />}
        onClick={() => onChangeRole(member)}
      >
        Change role …
      </Menu.Item>
      <Menu.Item
        disabled={last_owner}
        className="danger"
        leftSection={<IconUserMinus size={16} aria-hidden />}
        onClick={() => onRemove(member)}
      >
        {member.id === me.id ? "Leave …" : "Remove …"}
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
)
