/** What few look for, folded away behind its name until somebody does. */
import { Button, Collapse } from "@mantine/core"
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react"
import { type ReactNode, useId } from "react"

interface Props {
  readonly label: string
  readonly opened: boolean
  readonly onToggle: () => void
  readonly children: ReactNode
}

export const Fold = ({ label, opened, onToggle, children }: Props) => {
  const id = useId()
  const Icon = opened ? IconChevronDown : IconChevronRight
  return (
    <div>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<Icon size={16} aria-hidden />}
        aria-expanded={opened}
        aria-controls={id}
        onClick={onToggle}
      >
        {label}
      </Button>
      <Collapse id={id} expanded={opened}>
        {children}
      </Collapse>
    </div>
  )
}
