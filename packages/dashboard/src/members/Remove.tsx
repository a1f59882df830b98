/** Removing a member, or leaving, after saying what that ends. */
import { Text } from "@mantine/core"
import { useChange } from "../Client.ts"
import { Confirm } from "../parts/Confirm.tsx"
import { useSession } from "../session/Session.ts"
import { type Member, removeMember, stale_members } from "./Members.ts"

export const Remove = ({ member, onClose }: { member: Member; onClose: () => void }) => {
  const { member: me, account } = useSession()
  const leaving = member.id === me.id
  const change = useChange(removeMember, {
    stale: stale_members,
    said: () => (leaving ? `You have left ${account.name}.` : `${member.name} is removed.`),
  })
  return (
    <Confirm subject={member} change={change} action={leaving ? "Leave" : "Remove member"} onClose={onClose}>
      <Text size="sm">
        {leaving ? (
          <>
            You are signed out everywhere at once, and come back to <strong>{account.name}</strong> only by another
            invitation.
          </>
        ) : (
          <>
            <strong>{member.name}</strong> ({member.email}) is signed out everywhere at once, and comes back only by
            another invitation.
          </>
        )}
      </Text>
      <Text size="sm" c="dimmed">
        API keys that {leaving ? "you" : "they"} have created go on working: revoke those that should not.
      </Text>
    </Confirm>
  )
}
