/** Giving a member another role. */
import { Alert, Stack } from "@mantine/core"
import { useState } from "react"
import { useChange } from "../Client.ts"
import { Foot } from "../parts/Foot.tsx"
import { role_names, useSession } from "../session/Session.ts"
import { changeRole, type Member, stale_members } from "./Members.ts"
import { RoleChoice } from "./RoleChoice.tsx"

export const ChangeRole = ({ member, onClose }: { member: Member; onClose: () => void }) => {
  const me = useSession().member
  const [role, setRole] = useState(member.role)
  const change = useChange(changeRole, {
    stale: stale_members,
    said: (changed) => `${changed.name} is ${role_names[changed.role].toLowerCase()} now.`,
  })
  return (
    <Stack>
      <RoleChoice value={role} onChange={setRole} />
      {member.id === me.id && role !== "owner" && (
        <Alert color="yellow" variant="light" role="status">
          This is your own role. You will no longer manage members, and only another owner can give it back.
        </Alert>
      )}
      <Foot
        change={change}
        action="Change role"
        onAction={() => change.mutate({ id: member.id, role }, { onSuccess: onClose })}
        onClose={onClose}
      />
    </Stack>
  )
}
