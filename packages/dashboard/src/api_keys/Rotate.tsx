/** Rotating a key: a new one in its place, and how long the old one goes on working. */
import { Button, Group, Radio, Stack, Text } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useChange } from "../Client.ts"
import { Form } from "../parts/Form.tsx"
import { Problem } from "../parts/Problem.tsx"
import { expiryOf, type Key, overlaps, rotate, stale, type WithKey } from "./ApiKeys.ts"
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
    initialValues: { overlap: "86400", ...no_expiry, ...(expires_at === null ? { expiry: "never" } : {}) },
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
        <Radio.Group label="The old key goes on working for" {...form.getInputProps("overlap")}>
          <Stack gap="sm" mt="xs">
            {overlaps.map(({ value, label, about }) => (
              <Radio key={value} value={value} label={label} description={about} />
            ))}
          </Stack>
        </Radio.Group>
        <Expiry form={form} />
        <Problem error={change.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            Rotate key
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
