/** A secret that is shown this once, with what to do about it. */
import { Alert, Button, Group, Stack, TextInput } from "@mantine/core"
import { IconAlertTriangle } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { Copy } from "./Copy.tsx"
import { useFocus } from "./Focus.ts"

interface Props {
  readonly label: string
  readonly value: string
  readonly warning: ReactNode
  readonly children?: ReactNode
  /** What its last button says. */
  readonly done?: string
  readonly onDone: () => void
}

export const Once = ({ label, value, warning, children, done = "I have saved it", onDone }: Props) => {
  const copy = useFocus<HTMLButtonElement>()
  return (
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
        <Copy value={value} ref={copy} />
      </Group>
      {children}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {done}
        </Button>
      </Group>
    </Stack>
  )
}
