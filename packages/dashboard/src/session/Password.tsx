/** Changing one's own password. */
import { Stack, Text } from "@mantine/core"
import { useForm } from "@mantine/form"
import { post } from "../Api.ts"
import { useChange } from "../Client.ts"
import { Dialog } from "../parts/Dialog.tsx"
import { Foot } from "../parts/Foot.tsx"
import { Form } from "../parts/Form.tsx"
import { NewPassword } from "./NewPassword.tsx"
import { PasswordField } from "./PasswordField.tsx"
import { useSession, wrongPassword } from "./Session.ts"

const PasswordForm = ({ onClose }: { onClose: () => void }) => {
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
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          required
          data-autofocus
          key={form.key("current")}
          {...form.getInputProps("current")}
        />
        <NewPassword form={form} />
        <Foot change={change} action="Change password" onClose={onClose} />
      </Stack>
    </Form>
  )
}

export const PasswordDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Dialog opened={opened} onClose={onClose} title="Change password">
    <PasswordForm onClose={onClose} />
  </Dialog>
)
