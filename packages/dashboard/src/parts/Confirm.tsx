/** A question before what cannot be undone: it says what will happen, and the safe answer has the focus. */
import { Button, Group, Stack } from "@mantine/core"
import type { UseMutationResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { LoadingButton } from "./LoadingButton.tsx"
import { Problem } from "./Problem.tsx"

interface Props<A, Output> {
  readonly subject: A
  readonly change: UseMutationResult<Output, Error, A>
  readonly action: string
  readonly onClose: () => void
  readonly children: ReactNode
}

export const Confirm = <A, Output>({ subject, change, action, onClose, children }: Props<A, Output>) => (
  <Stack>
    {children}
    <Problem error={change.error} />
    <Group justify="flex-end">
      <Button variant="default" disabled={change.isPending} onClick={onClose} data-autofocus>
        Cancel
      </Button>
      <LoadingButton
        color="red.8"
        loading={change.isPending}
        onClick={() => change.mutate(subject, { onSuccess: onClose })}
      >
        {action}
      </LoadingButton>
    </Group>
  </Stack>
)
