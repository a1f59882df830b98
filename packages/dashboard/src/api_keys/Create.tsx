/** Creating a key: what it is called, what it may do, and when it ends. */
import type { ApiKey } from "@tc/domain"
import { Checkbox, Stack, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useChange } from "../Client.ts"
import { Foot } from "../parts/Foot.tsx"
import { Form } from "../parts/Form.tsx"
import { fieldErrors } from "../parts/Problem.tsx"
import { create, expiryOf, scope_names, scopes, stale, type WithKey } from "./ApiKeys.ts"
import { Expiry, type ExpiryInput, no_expiry, validExpiry } from "./Expiry.tsx"

interface Input extends ExpiryInput {
  readonly name: string
  readonly scopes: ReadonlyArray<ApiKey.Scope>
}

/** The server names fields of its own; those of the form that they come from show the message. */
const errorsOf = (error: Error): Record<string, string> => {
  const { expires_at, ...others } = fieldErrors(error)
  return expires_at === undefined ? others : { ...others, expiry: expires_at }
}

const send = ({ name, scopes: [first, ...others], expiry, date }: Input) =>
  create({ name: name.trim(), scopes: [first ?? "read", ...others], expires_at: expiryOf(expiry, date, Date.now()) })

export const Create = ({ onCreated, onClose }: { onCreated: (created: WithKey) => void; onClose: () => void }) => {
  const form = useForm<Input>({
    initialValues: { name: "", scopes: ["read"], ...no_expiry },
    validate: {
      name: (name) => (name.trim() === "" ? "Enter a name, such as the program's that will use the key." : null),
      scopes: (chosen) => (chosen.length === 0 ? "Choose at least one thing that the key may do." : null),
      ...validExpiry,
    },
  })
  const change = useChange(send, { stale })
  return (
    <Form form={form} change={change} onSent={onCreated} errorsOf={errorsOf}>
      <Stack>
        <TextInput
          label="Name"
          description="What the key is for, such as “Production shop”. Only members see it."
          maxLength={255}
          required
          data-autofocus
          autoComplete="off"
          {...form.getInputProps("name")}
        />
        <Checkbox.Group label="The key may" required {...form.getInputProps("scopes")} value={[...form.values.scopes]}>
          <Stack gap="sm" my="xs">
            {scope_names.map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} description={scopes[scope]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Expiry form={form} />
        <Foot change={change} action="Create key" onClose={onClose} />
      </Stack>
    </Form>
  )
}
