/** Sending an endpoint what it missed, while it works again. */
import { NativeSelect, Stack, Text } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useChange } from "../Client.ts"
import { choicesOf } from "../parts/Choose.tsx"
import { Foot } from "../parts/Foot.tsx"
import { Form } from "../parts/Form.tsx"
import { type Endpoint, recover, stale } from "./WebhookEndpoints.ts"

/** Hours to look back. */
const spans = { h1: "The last hour", h24: "The last 24 hours", h168: "The last 7 days", h720: "The last 30 days" }
const HOUR_MS = 3_600_000

const sinceOf = (span: string): string => new Date(Date.now() - Number(span.slice(1)) * HOUR_MS).toISOString()

export const Recover = ({ endpoint: { id }, onClose }: { endpoint: Endpoint; onClose: () => void }) => {
  const form = useForm({ initialValues: { span: "h24" } })
  const change = useChange(({ span }: { span: string }) => recover({ id, since: sinceOf(span) }), {
    stale: [...stale, ["recoveries"], ["deliveries"]],
    said: () => "What the endpoint missed is being sent.",
  })
  return (
    <Form form={form} change={change} onSent={onClose}>
      <Stack>
        <Text size="sm">
          Every event that it subscribes to and has not received is sent to it, those too whose deliveries failed or
          were canceled. What it received already is not sent again.
        </Text>
        <NativeSelect label="Events of" data={[...choicesOf(spans)]} data-autofocus {...form.getInputProps("span")} />
        <Foot change={change} action="Send what it missed" onClose={onClose} />
      </Stack>
    </Form>
  )
}
