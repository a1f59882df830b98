/** The end of a dialog: what went wrong with it, and the ways out of it. */
import { Button, Group } from "@mantine/core"
import { LoadingButton } from "./LoadingButton.tsx"
import { Problem } from "./Problem.tsx"

interface Props {
  readonly change: { readonly error: Error | null; readonly isPending: boolean }
  /** What sending it does, in a few words. */
  readonly action: string
  readonly onClose: () => void
  /** Does it where there is no form to be sent. */
  readonly onAction?: () => void
  /** Whether nothing needs to be filled in first. */
  readonly focused?: boolean
}

export const Foot = ({ change: { error, isPending }, action, onClose, onAction, focused = false }: Props) => (
  <>
    <Problem error={error} />
    <Group justify="flex-end">
      <Button variant="default" disabled={isPending} onClick={onClose}>
        Cancel
      </Button>
      <LoadingButton
        loading={isPending}
        {...(onAction === undefined ? { type: "submit" } : { onClick: onAction })}
        {...(focused ? { "data-autofocus": true } : {})}
      >
        {action}
      </LoadingButton>
    </Group>
  </>
)
