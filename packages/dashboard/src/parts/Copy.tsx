/** A button that copies a text, and says that it has. */
import { Button, type ButtonProps, CopyButton, VisuallyHidden } from "@mantine/core"
import { IconCheck, IconCopy } from "@tabler/icons-react"
import type { Ref } from "react"

interface Props extends ButtonProps {
  readonly value: string
  readonly label?: string
  readonly ref?: Ref<HTMLButtonElement>
}

export const Copy = ({ value, label = "Copy", ...button }: Props) => (
  <CopyButton value={value} timeout={3000}>
    {({ copied, copy }) => (
      <>
        <Button
          {...button}
          onClick={copy}
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        >
          {copied ? "Copied" : label}
        </Button>
        <VisuallyHidden role="status">{copied ? "Copied to the clipboard" : ""}</VisuallyHidden>
      </>
    )}
  </CopyButton>
)
