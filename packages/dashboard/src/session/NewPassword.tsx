/** A field for a password that somebody chooses. */
import type { UseFormReturnType } from "@mantine/form"
import { PasswordField } from "./PasswordField.tsx"
import { PASSWORD_RULE } from "./Session.ts"

interface Props {
  readonly form: { readonly key: (field: "password") => string } & Pick<
    UseFormReturnType<{ password: string }>,
    "getInputProps"
  >
  readonly label?: string
}

export const NewPassword = ({ form, label = "New password" }: Props) => (
  <PasswordField
    label={label}
    description={PASSWORD_RULE}
    autoComplete="new-password"
    required
    key={form.key("password")}
    {...form.getInputProps("password")}
  />
)
