/** The settings of an endpoint that few need, folded away until somebody looks for them. */
import { Checkbox, Stack, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { useDisclosure } from "@mantine/hooks"
import { Fold } from "../parts/Fold.tsx"
import type { Input } from "./Settings.ts"

interface Props {
  readonly form: Pick<UseFormReturnType<Input>, "getInputProps" | "getValues" | "errors">
}

export const Advanced = ({ form }: Props) => {
  const { max_per_second, ordered, disable_on_gone } = form.getValues()
  // What is set, or wrong, is not hidden.
  const [chosen, { toggle }] = useDisclosure(max_per_second !== "" || ordered || disable_on_gone)
  const opened = chosen || form.errors["max_per_second"] !== undefined
  return (
    <Fold label="Advanced" opened={opened} onToggle={toggle}>
      <Stack pt="sm">
        <TextInput
          label="Deliveries per second (optional)"
          description="At most so many, 1 to 1,000, retries included. Empty: as many as there is room for."
          inputMode="numeric"
          autoComplete="off"
          {...form.getInputProps("max_per_second")}
        />
        <Checkbox
          label="In order"
          description="A delivery is attempted only after the one before it has ended. One that fails holds up the others."
          {...form.getInputProps("ordered", { type: "checkbox" })}
        />
        <Checkbox
          label="Disable on 410 Gone"
          description="One answer with this status disables the endpoint at once."
          {...form.getInputProps("disable_on_gone", { type: "checkbox" })}
        />
      </Stack>
    </Fold>
  )
}
