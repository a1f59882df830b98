/** A field for a password. The library's does not tell assistive technology that it is wrong. */
import { PasswordInput, type PasswordInputProps } from "@mantine/core"

export const PasswordField = (props: PasswordInputProps) => (
  <PasswordInput {...props} {...(props.error ? { "aria-invalid": true } : {})} />
)
