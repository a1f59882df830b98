/** Enabling an endpoint, and, if wanted, sending it what it has missed meanwhile. */
import { Checkbox, Stack, Text } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useRef, useState } from "react"
import { useChange } from "../Client.ts"
import { Foot } from "../parts/Foot.tsx"
import { Form } from "../parts/Form.tsx"
import { Time } from "../parts/Time.tsx"
import { type Endpoint, missedSince, modify, recover, stale } from "./WebhookEndpoints.ts"

interface Input {
  readonly recovering: boolean
}

export const Enable = ({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) => {
  // As they were when the dialog opened: enabling forgets when it was disabled, which a second try still needs.
  const [before] = useState(endpoint)
  const { id, disabled_at } = before
  const since = useRef<string>(undefined)
  const form = useForm<Input>({ initialValues: { recovering: true } })
  const change = useChange(
    async ({ recovering }: Input) => {
      if (recovering) since.current ??= await missedSince(before)
      await modify({ id, status: "active" })
      if (recovering && since.current !== undefined) await recover({ id, since: since.current })
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
        <Checkbox
          label="Send what it missed"
          description="Every event since it last received one, those too whose deliveries failed or were canceled. This goes on in the background."
          {...form.getInputProps("recovering", { type: "checkbox" })}
        />
        <Foot change={change} action="Enable endpoint" onClose={onClose} focused />
      </Stack>
    </Form>
  )
}
