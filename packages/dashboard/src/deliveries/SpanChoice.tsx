/** Of which time deliveries are shown: a few spans up to now, or two moments in the reader's own time. */
import { TextInput } from "@mantine/core"
import { useCallback, useState } from "react"
import { choicesOf, Choose } from "../parts/Choose.tsx"
import { useTyped } from "../parts/Typed.ts"
import { fromInput, type Span, spans, toInput } from "./Span.ts"

interface MomentProps {
  readonly label: string
  readonly value: string
  readonly end: "first" | "last"
  readonly error?: string | null
  readonly onChange: (moment: string) => void
}

const Moment = ({ value, end, onChange, ...field }: MomentProps) => {
  const [text, setText] = useState(toInput(value))
  const show = useCallback((moment: string) => setText(toInput(moment)), [])
  const keep = useTyped(value, show)
  return (
    <TextInput
      type="datetime-local"
      className="filter whole"
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        const moment = fromInput(currentTarget.value, end)
        keep(moment)
        onChange(moment)
      }}
      {...field}
    />
  )
}

interface Props {
  readonly span: Span
  /** An empty text takes a part away. */
  readonly onChange: (choice: { readonly within?: string; readonly since?: string; readonly until?: string }) => void
}

export const SpanChoice = ({ span: { within, since, until }, onChange }: Props) => (
  <>
    <Choose
      label="Time"
      all="Any time"
      choices={choicesOf(spans)}
      value={within ?? ""}
      onChange={(value) => onChange({ within: value })}
    />
    {within === "custom" && (
      <>
        <Moment label="From" value={since ?? ""} end="first" onChange={(since) => onChange({ since })} />
        <Moment
          label="To"
          value={until ?? ""}
          end="last"
          error={since !== undefined && until !== undefined && since > until ? "Comes before the first" : null}
          onChange={(until) => onChange({ until })}
        />
      </>
    )}
  </>
)
