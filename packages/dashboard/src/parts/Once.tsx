/** A secret that is shown this once, with what to do about it. */
import { Alert, Button, CopyButton, Group, Stack, TextInput, VisuallyHidden } from "@mantine/core"
import { IconAlertTriangle, IconCheck, IconCopy } from "@tabler/icons-react"
import type { ReactNode } from "react"

interface Props {
  readonly label: string
  readonly value: string
  readonly warning: ReactNode
  readonly children?: ReactNode
  readonly onDone: () => void
}

const Copy = ({ value }: { value: string }) => (
  <CopyButton value={value} timeout={3000}>
    {({ copied, copy }) => (
      <>
        <Button
          data-autofocus
          onClick={copy}
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        >
          {copied ? "Copied" : "Copy"}
        </Button>
        <VisuallyHidden role="status">{copied ? "Copied to the clipboard" : ""}</VisuallyHidden>
      </>
    )}
  </CopyButton>
)

export const Once = ({ label, value, warning, children, onDone }: Props) => (
  <Stack>
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
      {warning}
    </Alert>
    <Group align="flex-end" gap="xs">
      <TextInput
        label={label}
        value={value}
        readOnly
        flex="1 1 200px"
        classNames={{ input: "mono" }}
        // Where the clipboard may not be used, one click selects it all.
        onFocus={(event) => event.currentTarget.select()}
      />
      <Copy value={value} />
    </Group>
    {children}
    <Group justify="flex-end">
      <Button variant="default" onClick={onDone}>
        I have saved it
      </Button>
    </Group>
  </Stack>
)
