/** A field that searches as somebody types, once they pause. */
import { TextInput } from "@mantine/core"
import { useDebouncedCallback } from "@mantine/hooks"
import { IconSearch } from "@tabler/icons-react"
import { useState } from "react"
import { useTyped } from "./Typed.ts"

/** Milliseconds without a key after which somebody is taken to have paused. */
const PAUSE_MS = 300

interface Props {
  readonly label: string
  readonly value: string
  readonly onSearch: (value: string) => void
}

export const Search = ({ label, value, onSearch }: Props) => {
  const [text, setText] = useState(value)
  const keep = useTyped(value, setText)
  const send = useDebouncedCallback((next: string) => {
    keep(next)
    onSearch(next)
  }, PAUSE_MS)
  return (
    <TextInput
      type="search"
      label={label}
      className="filter"
      leftSection={<IconSearch size={16} aria-hidden />}
      maxLength={255}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        send(currentTarget.value)
      }}
    />
  )
}
