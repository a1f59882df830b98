/** Which part of the audit log is shown. */
import { Group, NativeSelect } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { members } from "../members/Members.ts"
import { ShowAll } from "../parts/ShowAll.tsx"
import { actions, type AuditSearch, isAction } from "./Search.ts"

interface Props {
  readonly search: AuditSearch
  readonly onChange: (search: AuditSearch) => void
}

export const Filter = ({ search: { action, member_id }, onChange }: Props) => {
  const { data = [] } = useQuery(members)
  // The address may name a member who has left since.
  const gone = member_id !== undefined && data.every(({ id }) => id !== member_id)
  return (
    <Group mb="md" align="flex-end">
      <NativeSelect
        label="Action"
        className="filter"
        value={action ?? ""}
        data={[
          { value: "", label: "All actions" },
          ...Object.entries(actions).map(([value, label]) => ({ value, label })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...(isAction(value) ? { action: value } : {}), ...(member_id === undefined ? {} : { member_id }) })
        }
      />
      <NativeSelect
        label="Member"
        className="filter"
        value={member_id ?? ""}
        data={[
          { value: "", label: "All members" },
          ...data.map(({ id, name }) => ({ value: id, label: name })),
          ...(gone ? [{ value: member_id, label: "A former member" }] : []),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...(action === undefined ? {} : { action }), ...(value === "" ? {} : { member_id: value }) })
        }
      />
      <ShowAll onClick={() => onChange({})} />
    </Group>
  )
}
