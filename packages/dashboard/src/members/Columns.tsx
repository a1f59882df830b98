/** What the list of members shows of each, and what an owner can do with them. */
import { Avatar, Badge, Box, Group, Menu, Text } from "@mantine/core"
import { IconKey, IconUserMinus, IconUserShield } from "@tabler/icons-react"
import { RowMenu } from "../parts/RowMenu.tsx"
import type { Column } from "../parts/Rows.tsx"
import { Time } from "../parts/Time.tsx"
import type { Member } from "./Members.ts"
import { RoleBadge } from "./RoleBadge.tsx"

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
            {id === me.id && <Badge size="sm">You</Badge>}
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
    cell: ({ role }) => <RoleBadge role={role} />,
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
  readonly onReset: (member: Member) => void
  readonly onRemove: (member: Member) => void
}

export const Actions = ({ member, me, last_owner, onChangeRole, onReset, onRemove }: Props) => (
  <RowMenu of={member.name} width={last_owner ? 260 : 200}>
    {last_owner && <Menu.Label>The only owner cannot be changed: make somebody else one first.</Menu.Label>}
    <Menu.Item
      disabled={last_owner}
      leftSection={<IconUserShield size={16} aria-hidden />}
      onClick={() => onChangeRole(member)}
    >
      Change role …
    </Menu.Item>
    {member.id !== me.id && (
      <Menu.Item leftSection={<IconKey size={16} aria-hidden />} onClick={() => onReset(member)}>
        New password …
      </Menu.Item>
    )}
    <Menu.Item
      disabled={last_owner}
      className="danger"
      leftSection={<IconUserMinus size={16} aria-hidden />}
      onClick={() => onRemove(member)}
    >
      {member.id === me.id ? "Leave …" : "Remove …"}
    </Menu.Item>
  </RowMenu>
)
