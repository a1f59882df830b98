/** Which events an endpoint is told of: all, or some of the catalogue, picked one by one or a group at a time. */
import { Box, Button, Checkbox, Group, Input, Radio, ScrollArea, Skeleton, Stack, Text, TextInput } from "@mantine/core"
import { IconSearch } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useId, useState } from "react"
import { Problem } from "../parts/Problem.tsx"
import { type EventName, type EventType, eventTypes, grouped, spoken } from "./EventTypes.ts"

interface Props {
  readonly all: boolean
  readonly chosen: ReadonlyArray<EventName>
  readonly error?: string | undefined
  readonly onAll: (all: boolean) => void
  readonly onChosen: (chosen: ReadonlyArray<EventName>) => void
}

type Picked = Pick<Props, "chosen" | "onChosen">

const One = ({ type: { name, description }, chosen, onChosen }: Picked & { type: EventType }) => (
  <Checkbox
    label={<span className="mono">{name}</span>}
    description={description.replaceAll(/`([^`]+)`/gu, "“$1”")}
    checked={chosen.includes(name)}
    onChange={({ currentTarget: { checked } }) =>
      onChosen(checked ? [...chosen, name] : chosen.filter((other) => other !== name))
    }
  />
)

const OneGroup = ({ name, types, chosen, onChosen }: Picked & { name: string; types: ReadonlyArray<EventType> }) => {
  const names = types.map((type) => type.name)
  const count = names.filter((one) => chosen.includes(one)).length
  const others = chosen.filter((one) => !names.includes(one))
  const full = count === names.length
  return (
    <Box role="group" aria-label={spoken(name)}>
      <Checkbox
        fw={600}
        label={spoken(name)}
        aria-label={`All of ${spoken(name)}`}
        checked={full}
        indeterminate={count > 0 && !full}
        onChange={() => onChosen(full ? others : [...others, ...names])}
      />
      <Stack gap="xs" mt="xs" pl="lg">
        {types.map((type) => (
          <One key={type.name} type={type} chosen={chosen} onChosen={onChosen} />
        ))}
      </Stack>
    </Box>
  )
}

const Catalogue = ({ chosen, onChosen }: Picked) => {
  const types = useQuery(eventTypes)
  const [search, setSearch] = useState("")
  const groups = grouped(types.data ?? [], search)
  if (types.isError)
    return <Problem title="The events could not be loaded" error={types.error} retry={() => void types.refetch()} />
  if (types.isPending) return <Skeleton h={300} />
  return (
    <div>
      <Group gap="xs" align="flex-end" mb="xs">
        <TextInput
          label="Search the events"
          flex="1 1 12rem"
          value={search}
          leftSection={<IconSearch size={16} aria-hidden />}
          onChange={({ currentTarget: { value } }) => setSearch(value)}
        />
        <Button variant="default" disabled={chosen.length === 0} onClick={() => onChosen([])}>
          Clear
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mb="xs" role="status">
        {chosen.length} of {types.data.length} chosen{groups.length === 0 && "; none is called so"}
      </Text>
      <ScrollArea.Autosize mah={260} type="auto" className="panel" viewportProps={{ tabIndex: -1 }}>
        <Stack p="md">
          {groups.map(([name, found]) => (
            <OneGroup key={name} name={name} types={found} chosen={chosen} onChosen={onChosen} />
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </div>
  )
}

export const EventChoice = ({ all, chosen, error, onAll, onChosen }: Props) => {
  const id = useId()
  return (
    <Stack gap="sm">
      <Radio.Group
        label="Events"
        value={all ? "all" : "some"}
        onChange={(value) => onAll(value === "all")}
        {...(error === undefined ? {} : { "aria-describedby": id, "aria-invalid": true })}
      >
        <Stack gap="sm" mt="xs">
          <Radio value="all" label="All events, including future ones" />
          <Radio value="some" label="Only those that I choose" />
        </Stack>
      </Radio.Group>
      {!all && <Catalogue chosen={chosen} onChosen={onChosen} />}
      {error !== undefined && (
        <Input.Error id={id} role="alert">
          {error}
        </Input.Error>
      )}
    </Stack>
  )
}
