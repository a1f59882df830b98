/** A role in a table. */
import type { Member } from "@tc/domain"
import { Badge } from "@mantine/core"
import { role_names } from "../session/Session.ts"

export const RoleBadge = ({ role }: { role: Member.Role }) => <Badge variant="default">{role_names[role]}</Badge>
