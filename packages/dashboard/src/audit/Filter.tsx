/** Which part of the audit log is shown. */
import { Group } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { members } from "../members/Members.ts"
import { choicesOf, Choose } from "../parts/Choose.tsx"
import { ShowAll } from "../parts/ShowAll.tsx"
import { actions, type AuditSearch, isAction } from "./Search.ts"

interface Props {
  readonly search: AuditSearch
  readonly onChange: (search: AuditSearch) => void
}

export const Filter = ({ search: { action, member_id }, onChange }: Props) => {
  const { data = [] } = useQuery(members)
  return (
    <Group mb="md" align="flex-end">
      <Choose
        label="Action"
        all="All actions"
        choices={choicesOf(actions)}
        value={action ?? ""}
        onChange={(value) =>
          onChange({ ...(isAction(value) ? { action: value } : {}), ...(member_id === undefined ? {} : { member_id }) })
        }
      />
      <Choose
        label="Member"
        all="All members"
        choices={data.map(({ id, name }) => ({ value: id, label: name }))}
        other="A former member"
        value={member_id ?? ""}
        onChange={(value) =>
          onChange({ ...(action === undefined ? {} : { action }), ...(value === "" ? {} : { member_id: value }) })
        }
      />
      <ShowAll onClick={() => onChange({})} />
    </Group>
  )
}
