/** Rotating the signing secret: a new one, and how long the old one signs beside it. */
import { Button, Group, Radio, Stack, Text } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useState } from "react"
import { useChange } from "../Client.ts"
import { Form } from "../parts/Form.tsx"
import { Problem } from "../parts/Problem.tsx"
import { Secret } from "./Secret.tsx"
import { type Endpoint, overlaps, rotate, stale, type WithSecret } from "./WebhookEndpoints.ts"

interface Input {
  readonly overlap: string
}

export const Rotate = ({ endpoint: { id }, onClose }: { endpoint: Endpoint; onClose: () => void }) => {
  const [shown, setShown] = useState<WithSecret | null>(null)
  const form = useForm<Input>({ initialValues: { overlap: "86400" } })
  const change = useChange(({ overlap }: Input) => rotate({ id, overlap_seconds: Number(overlap) }), { stale })
  if (shown !== null) return <Secret shown={shown} onDone={onClose} />
  return (
    <Form form={form} change={change} onSent={setShown}>
      <Stack>
        <Text size="sm">
          Until the old secret ends, deliveries are signed with both, so that receivers take either.
        </Text>
        <Radio.Group label="The old secret goes on signing for" {...form.getInputProps("overlap")}>
          <Stack gap="sm" mt="xs">
            {overlaps.map(({ value, label, about }) => (
              <Radio key={value} value={value} label={label} description={about} />
            ))}
          </Stack>
        </Radio.Group>
        <Problem error={change.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            Rotate secret
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
