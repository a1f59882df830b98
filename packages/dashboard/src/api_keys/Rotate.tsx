/** Rotating a key: a new one in its place, and how long the old one goes on working. */
import { Stack, Text } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useChange } from "../Client.ts"
import { Foot } from "../parts/Foot.tsx"
import { Form } from "../parts/Form.tsx"
import { DAY, Overlap } from "../parts/Overlap.tsx"
import { expiryOf, type Key, rotate, stale, type WithKey } from "./ApiKeys.ts"
import { Expiry, type ExpiryInput, no_expiry, validExpiry } from "./Expiry.tsx"

interface Input extends ExpiryInput {
  readonly overlap: string
}

interface Props {
  readonly api_key: Key
  readonly onRotated: (created: WithKey) => void
  readonly onClose: () => void
}

export const Rotate = ({ api_key: { id, name, expires_at }, onRotated, onClose }: Props) => {
  const form = useForm<Input>({
    initialValues: { overlap: DAY, ...no_expiry, ...(expires_at === null ? { expiry: "never" } : {}) },
    validate: validExpiry,
  })
  const change = useChange(
    ({ overlap, expiry, date }: Input) =>
      rotate({ id, overlap_seconds: Number(overlap), expires_at: expiryOf(expiry, date, Date.now()) }),
    { stale },
  )
  return (
    <Form form={form} change={change} onSent={onRotated}>
      <Stack>
        <Text size="sm">
          The new key has the name and the scopes of <strong>{name}</strong>.
        </Text>
        <Overlap
          label="The old key goes on working for"
          now="For a key that leaked. Programs that use it fail until they have the new one."
          week="For programs that others run."
          input={form.getInputProps("overlap")}
        />
        <Expiry form={form} />
        <Foot change={change} action="Rotate key" onClose={onClose} />
      </Stack>
    </Form>
  )
}
