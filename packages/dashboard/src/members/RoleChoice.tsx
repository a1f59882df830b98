/** Choosing a role, each with what it may do. */
import { Radio, Stack } from "@mantine/core"
import { role_names, roles } from "../session/Session.ts"

const all = ["owner", "developer", "viewer"] as const

export type Role = (typeof all)[number]

export const RoleChoice = ({ value, onChange }: { value: Role; onChange: (role: Role) => void }) => (
  <Radio.Group label="Role" value={value} onChange={(chosen) => onChange(all.find((role) => role === chosen) ?? value)}>
    <Stack gap="sm" mt="xs">
      {all.map((role) => (
        <Radio key={role} value={role} label={role_names[role]} description={roles[role]} />
      ))}
    </Stack>
  </Radio.Group>
)
