/** Narrows a list by one of a few values, or by none of them. */
import { NativeSelect } from "@mantine/core"

export interface Choice {
  readonly value: string
  readonly label: string
}

interface Props {
  readonly label: string
  /** What it says while nothing is chosen. */
  readonly all: string
  readonly choices: ReadonlyArray<Choice>
  /** What a value is called that is none of the choices: the address may name one that is gone. Default: the value. */
  readonly other?: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The keys of words as choices. */
export const choicesOf = (
  words: Readonly<Record<string, { readonly label: string } | string>>,
): ReadonlyArray<Choice> =>
  Object.entries(words).map(([value, word]) => ({ value, label: typeof word === "string" ? word : word.label }))

export const Choose = ({ label, all, choices, other, value, onChange }: Props) => {
  const isOther = value !== "" && choices.every((choice) => choice.value !== value)
  return (
    <NativeSelect
      label={label}
      className="filter"
      value={value}
      data={[{ value: "", label: all }, ...choices, ...(isOther ? [{ value, label: other ?? value }] : [])]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
