/** Enabling an endpoint, and, if wanted, sending it what it has missed meanwhile. */
import { Checkbox, Stack, Text } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useState } from "react"
import { useChange } from "../Client.ts"
import { Foot } from "../parts/Foot.tsx"
import { Form } from "../parts/Form.tsx"
import { Time } from "../parts/Time.tsx"
import { type Endpoint, modify, recover, stale } from "./WebhookEndpoints.ts"

interface Input {
  readonly recovering: boolean
}

export const Enable = ({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) => {
  // As they were when the dialog opened: enabling forgets when it was disabled, which a second try still needs.
  const [{ id, disabled_at }] = useState(endpoint)
  const form = useForm<Input>({ initialValues: { recovering: true } })
  const change = useChange(
    async ({ recovering }: Input) => {
      await modify({ id, status: "active" })
      if (recovering && disabled_at !== null) await recover({ id, since: disabled_at })
    },
    {
      stale: [...stale, ["recoveries"], ["deliveries"]],
      said: (_, { recovering }) =>
        recovering ? "The endpoint is enabled, and what it missed is being sent." : "The endpoint is enabled.",
    },
  )
  return (
    <Form form={form} change={change} onSent={onClose}>
      <Stack>
        <Text size="sm">
          Deliveries resume with the next event. What was on its way
          {disabled_at !== null && (
            <>
              {" "}
              when it was disabled, <Time at={disabled_at} />,
            </>
          )}{" "}
          was canceled, and events since then were not sent to it.
        </Text>
        {disabled_at !== null && (
          <Checkbox
            label="Send what it missed since then"
            description="Events that it subscribes to, from that moment until now. This goes on in the background."
            {...form.getInputProps("recovering", { type: "checkbox" })}
          />
        )}
        <Foot change={change} action="Enable endpoint" onClose={onClose} focused />
      </Stack>
    </Form>
  )
}
