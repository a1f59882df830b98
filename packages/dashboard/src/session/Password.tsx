/** Changing one's own password. */
import { Button, Group, PasswordInput, Stack, Text } from "@mantine/core"
import { useForm } from "@mantine/form"
import { post } from "../Api.ts"
import { useChange } from "../Client.ts"
import { Form } from "../parts/Form.tsx"
import { Problem } from "../parts/Problem.tsx"
import { PASSWORD_RULE, useSession, wrongPassword } from "./Session.ts"

export const PasswordForm = ({ onClose }: { onClose: () => void }) => {
  const { member } = useSession()
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { current: "", password: "" },
    validate: {
      current: (current) => (current === "" ? "Enter the password that you sign in with now." : null),
      password: wrongPassword,
    },
  })
  const change = useChange((input: { current: string; password: string }) => post("/session/password", input), {
    stale: [["audit"]],
    said: () => "Your password is changed. Your other sessions have ended.",
  })
  return (
    <Form form={form} change={change} onSent={onClose}>
      {/* Password managers need to know whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={member.email} readOnly hidden />
      <Stack>
        <Text size="sm" c="dimmed">
          You stay signed in here. Wherever else you are signed in, that session ends at once.
        </Text>
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          data-autofocus
          key={form.key("current")}
          {...form.getInputProps("current")}
        />
        <PasswordInput
          label="New password"
          description={PASSWORD_RULE}
          autoComplete="new-password"
          required
          key={form.key("password")}
          {...form.getInputProps("password")}
        />
        <Problem error={change.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
