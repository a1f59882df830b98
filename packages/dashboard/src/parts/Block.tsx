/** A text of others as it is, in a box that scrolls. */
import { Group, Text } from "@mantine/core"
import type { ReactNode } from "react"
import { Copy } from "./Copy.tsx"
import { digits } from "./Count.ts"
import { Note, Section } from "./Section.tsx"

/** Characters that are shown at most: a browser takes seconds to lay out millions. */
const MOST = 20_000

interface Props {
  /** What it is, for who cannot see the heading above it. */
  readonly label: string
  readonly text: string
}

export const Block = ({ label, text }: Props) => (
  <>
    {/* What scrolls can be reached with the keyboard. */}
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <pre className="block mono" tabIndex={0} role="region" aria-label={label}>
      {text.slice(0, MOST)}
    </pre>
    {text.length > MOST && (
      <Text size="sm" c="dimmed" mt="xs">
        These are the first {digits(MOST)} of {digits(text.length)} characters. Copying takes all of them.
      </Text>
    )}
  </>
)

interface SectionProps {
  readonly title: string
  /** What the block is called; its title, where that says it. */
  readonly label?: string
  /** Null where there is none. */
  readonly text: string | null
  /** What is said where there is none. */
  readonly none: string
  /** What is copied; the text, where that is shown as it is. */
  readonly copied?: string
  readonly copy?: string
  /** What changes how the text is shown. */
  readonly control?: ReactNode
  /** What is said before the text. */
  readonly children?: ReactNode
}

/** A block under a heading, with a button that copies all of it. */
export const BlockSection = (props: SectionProps) => {
  const { title, label = title, text, none, copied = text, copy, control, children } = props
  return (
    <Section
      title={title}
      aside={
        copied !== null && (
          <Group>
            {control}
            <Copy value={copied} size="xs" variant="default" {...(copy === undefined ? {} : { label: copy })} />
          </Group>
        )
      }
    >
      {text === null ? (
        <Note>{none}</Note>
      ) : (
        <>
          {children}
          <Block label={label} text={text} />
        </>
      )}
    </Section>
  )
}
