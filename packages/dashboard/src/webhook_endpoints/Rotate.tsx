/** Rotating the signing secret: a new one, and how long the old one signs beside it. */
import { Stack, Text } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useState } from "react"
import { useChange } from "../Client.ts"
import { Foot } from "../parts/Foot.tsx"
import { Form } from "../parts/Form.tsx"
import { DAY, Overlap } from "../parts/Overlap.tsx"
import { Secret } from "./Secret.tsx"
import { type Endpoint, rotate, stale, type WithSecret } from "./WebhookEndpoints.ts"

interface Input {
  readonly overlap: string
}

export const Rotate = ({ endpoint: { id }, onClose }: { endpoint: Endpoint; onClose: () => void }) => {
  const [shown, setShown] = useState<WithSecret | null>(null)
  const form = useForm<Input>({ initialValues: { overlap: DAY } })
  const change = useChange(({ overlap }: Input) => rotate({ id, overlap_seconds: Number(overlap) }), { stale })
  if (shown !== null) return <Secret shown={shown} onDone={onClose} />
  return (
    <Form form={form} change={change} onSent={setShown}>
      <Stack>
        <Text size="sm">
          Until the old secret ends, deliveries are signed with both, so that receivers take either.
        </Text>
        <Overlap
          label="The old secret goes on signing for"
          now="For a secret that leaked. Receivers refuse deliveries until they have the new one."
          week="For receivers that others run."
          input={form.getInputProps("overlap")}
        />
        <Foot change={change} action="Rotate secret" onClose={onClose} />
      </Stack>
    </Form>
  )
}
