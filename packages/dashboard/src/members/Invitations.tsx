/** The invitations that nobody has accepted yet. Owners see them. */
import { ActionIcon, Text, Tooltip } from "@mantine/core"
import { IconTrash } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useChange } from "../Client.ts"
import { Confirm } from "../parts/Confirm.tsx"
import { Dialog, useSubject } from "../parts/Dialog.tsx"
import { Loaded } from "../parts/Loaded.tsx"
import { type Column, Rows } from "../parts/Rows.tsx"
import { Note, Section } from "../parts/Section.tsx"
import { Time } from "../parts/Time.tsx"
import { role_names } from "../session/Session.ts"
import { type Invitation, invitations, type Member, revokeInvitation, stale_invitations } from "./Members.ts"
import { RoleBadge } from "./RoleBadge.tsx"

const whom = ({ email }: Invitation): string => email ?? "Whoever has the link"

const columns = (members: ReadonlyArray<Member>): ReadonlyArray<Column<Invitation>> => [
  {
    name: "For",
    cell: (invitation) => (
      <Text size="sm" fw={500} className="name">
        {whom(invitation)}
      </Text>
    ),
  },
  {
    name: "Role",
    width: 140,
    cell: ({ role }) => <RoleBadge role={role} />,
  },
  {
    name: "Invited by",
    width: 190,
    cell: ({ invited_by }) => members.find(({ id }) => id === invited_by)?.name ?? "–",
  },
  { name: "Ends", width: 110, cell: ({ expires_at }) => <Time at={expires_at} /> },
]

const Revoke = ({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) => {
  const change = useChange(revokeInvitation, { stale: stale_invitations, said: () => "The invitation is revoked." })
  return (
    <Confirm subject={invitation} change={change} action="Revoke invitation" onClose={onClose}>
      <Text size="sm">
        Its link ({role_names[invitation.role].toLowerCase()}, for {whom(invitation).toLowerCase()}) works no more.
        Whoever needs one gets a new invitation.
      </Text>
    </Confirm>
  )
}

export const Invitations = ({ members }: { members: ReadonlyArray<Member> }) => {
  const open = useQuery(invitations)
  const revoking = useSubject<Invitation>()
  const actions = (invitation: Invitation) => (
    <Tooltip label="Revoke" events={{ hover: true, focus: true, touch: false }}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`Revoke the invitation for ${whom(invitation).toLowerCase()}`}
        onClick={() => revoking.open(invitation)}
      >
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
  return (
    <Section title="Open invitations">
      <Loaded query={open} what="invitations">
        {open.data?.length === 0 ? (
          <Note>None. An invitation stands here until it is accepted, revoked or 7 days old.</Note>
        ) : (
          <Rows
            label="Open invitations"
            columns={columns(members)}
            rows={open.data}
            expected={1}
            id={({ id }) => id}
            actions={actions}
          />
        )}
      </Loaded>
      <Dialog opened={revoking.opened} onClose={revoking.close} title="Revoke the invitation?">
        {revoking.subject !== null && <Revoke invitation={revoking.subject} onClose={revoking.close} />}
      </Dialog>
    </Section>
  )
}
