/** Who accepts an invitation: name, e-mail address and password. */
import { DataList, Stack, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { Failure } from "../Api.ts"
import { useChange } from "../Client.ts"
import { Front } from "../layout/Front.tsx"
import { Form } from "../parts/Form.tsx"
import { LoadingButton } from "../parts/LoadingButton.tsx"
import { fieldErrors, Problem } from "../parts/Problem.tsx"
import { Time } from "../parts/Time.tsx"
import { NewPassword } from "./NewPassword.tsx"
import { role_names, roles, wrongEmail, wrongPassword } from "./Session.ts"
import { useCameIn } from "./SignIn.tsx"
import { type Invited, signUp } from "./SignUps.ts"

interface Input {
  readonly name: string
  readonly email: string
  readonly password: string
}

const errorsOf = (error: Error): Record<string, string> =>
  error instanceof Failure && error.code === "email_taken"
    ? { email: "This address is a member already. Sign in instead." }
    : fieldErrors(error)

const Facts = ({ account, role, expires_at }: Invited) => (
  <DataList orientation="horizontal" labelWidth={100} size="sm" mb="lg">
    <DataList.Item>
      <DataList.ItemLabel>Account</DataList.ItemLabel>
      <DataList.ItemValue>{account.name}</DataList.ItemValue>
    </DataList.Item>
    <DataList.Item>
      <DataList.ItemLabel>Role</DataList.ItemLabel>
      <DataList.ItemValue>
        {role_names[role]}: {roles[role]}
      </DataList.ItemValue>
    </DataList.Item>
    <DataList.Item>
      <DataList.ItemLabel>The link ends</DataList.ItemLabel>
      <DataList.ItemValue>
        <Time at={expires_at} />
      </DataList.ItemValue>
    </DataList.Item>
  </DataList>
)

export const Joining = ({ token, invited, first }: { token: string; invited: Invited; first: boolean }) => {
  const cameIn = useCameIn()
  const form = useForm<Input>({
    mode: "uncontrolled",
    initialValues: { name: "", email: invited.email ?? "", password: "" },
    validate: {
      name: (name) => (name.trim() === "" ? "Enter your name, as the others know you." : null),
      email: wrongEmail,
      password: wrongPassword,
    },
  })
  const change = useChange((input: Input) => signUp({ ...input, token }), { stale: [] })
  return (
    <Front title={first ? "Set up tc" : `Join ${invited.account.name}`}>
      <Facts {...invited} />
      <Form form={form} change={change} onSent={(signed_in) => cameIn(signed_in)} errorsOf={errorsOf}>
        <Stack>
          <Problem error={change.error} />
          <TextInput label="Name" autoComplete="name" required key={form.key("name")} {...form.getInputProps("name")} />
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            readOnly={invited.email !== null}
            {...(invited.email === null ? {} : { description: "The invitation is for this address." })}
            key={form.key("email")}
            {...form.getInputProps("email")}
          />
          <NewPassword form={form} label="Password" />
          <LoadingButton type="submit" size="md" loading={change.isPending}>
            {first ? "Create the first member" : "Join"}
          </LoadingButton>
        </Stack>
      </Form>
    </Front>
  )
}
