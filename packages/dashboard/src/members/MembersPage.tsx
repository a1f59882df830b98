/** Who may use the dashboard, and as what. */
import { Button, Text } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconUserPlus } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Page } from "../layout/Page.tsx"
import { Dialog, useSubject } from "../parts/Dialog.tsx"
import { Loaded } from "../parts/Loaded.tsx"
import { Rows } from "../parts/Rows.tsx"
import { useMay, useSession } from "../session/Session.ts"
import { ChangeRole } from "./ChangeRole.tsx"
import { Actions, columns } from "./Columns.tsx"
import { Invitations } from "./Invitations.tsx"
import { Invite } from "./Invite.tsx"
import { type Member, members } from "./Members.ts"
import { Remove } from "./Remove.tsx"
import { ResetPassword } from "./ResetPassword.tsx"

export const MembersPage = () => {
  const all = useQuery(members)
  const { member: me } = useSession()
  const owner = useMay("owner")
  const [inviting, invite] = useDisclosure(false)
  const changing = useSubject<Member>()
  const resetting = useSubject<Member>()
  const removing = useSubject<Member>()
  const owners = all.data?.filter(({ role }) => role === "owner").length ?? 0
  const actions = (member: Member) => (
    <Actions
      member={member}
      me={me}
      last_owner={owners === 1 && member.role === "owner"}
      onChangeRole={changing.open}
      onReset={resetting.open}
      onRemove={removing.open}
    />
  )
  return (
    <>
      <Page
        title="Members"
        about="The people who use this dashboard."
        action={
          owner && (
            <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={invite.open}>
              Invite
            </Button>
          )
        }
      />
      {!owner && (
        <Text size="sm" c="dimmed" mb="md">
          Owners invite and remove members, and change their roles.
        </Text>
      )}
      <Loaded query={all} what="members">
        <Rows
          label="Members"
          tall
          columns={columns(me)}
          rows={all.data}
          id={({ id }) => id}
          actions={owner ? actions : undefined}
        />
      </Loaded>
      {owner && <Invitations members={all.data ?? []} />}
      <Invite opened={inviting} onClose={invite.close} />
      <Dialog opened={changing.opened} onClose={changing.close} title={`Role of ${changing.subject?.name ?? ""}`}>
        {changing.subject !== null && <ChangeRole member={changing.subject} onClose={changing.close} />}
      </Dialog>
      <ResetPassword opened={resetting.opened} member={resetting.subject} onClose={resetting.close} />
      <Dialog
        opened={removing.opened}
        onClose={removing.close}
        title={removing.subject?.id === me.id ? "Leave the account?" : "Remove the member?"}
      >
        {removing.subject !== null && <Remove member={removing.subject} onClose={removing.close} />}
      </Dialog>
    </>
  )
}
