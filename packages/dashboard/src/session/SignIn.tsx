/** Signing in. */
import type { Dashboard } from "@tc/api"
import { Alert, Anchor, Button, Stack, Text, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useQueryClient } from "@tanstack/react-query"
import { Link, useRouter, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { post } from "../Api.ts"
import { useChange } from "../Client.ts"
import { Front } from "../layout/Front.tsx"
import { Form } from "../parts/Form.tsx"
import { LoadingButton } from "../parts/LoadingButton.tsx"
import { Problem } from "../parts/Problem.tsx"
import { PasswordField } from "./PasswordField.tsx"
import { session, wrongEmail } from "./Session.ts"

/** Keeps who has signed in, forgets what anybody before has seen, and goes on. */
export const useCameIn = () => {
  const client = useQueryClient()
  const router = useRouter()
  return (signed_in: Dashboard.SignedIn, next = "/dashboard/"): void => {
    client.clear()
    client.setQueryData(session.queryKey, signed_in)
    router.history.replace(next)
  }
}

interface Input {
  readonly email: string
  readonly password: string
  readonly account: string
}

type Answer = Dashboard.SignedIn | Dashboard.AccountChoice

const signIn = ({ email, password, account }: Input) =>
  post<Answer>("/session", {
    email,
    password,
    account: account.trim() === "" ? null : account.trim(),
  })

interface ChoiceProps extends Dashboard.AccountChoice {
  readonly error: Error | null
  readonly isPending: boolean
  readonly onChoose: (name: string) => void
  readonly onBack: () => void
}

/** Who is a member of several accounts with one password says which of them to enter. */
const Choice = ({ accounts, error, isPending, onChoose, onBack }: ChoiceProps) => (
  <Front title="Choose an account" about="You are a member of several accounts with this password.">
    <Stack>
      <Problem error={error} />
      {accounts.map(({ id, name }) => (
        <Button key={id} variant="default" size="md" disabled={isPending} onClick={() => onChoose(name)}>
          {name}
        </Button>
      ))}
      <Anchor component="button" type="button" size="sm" ta="center" onClick={onBack}>
        Back
      </Anchor>
    </Stack>
  </Front>
)

export const SignIn = () => {
  const { next, ended } = useSearch({ from: "/sign-in" })
  const cameIn = useCameIn()
  const [several, setSeveral] = useState(false)
  const [choice, setChoice] = useState<Dashboard.AccountChoice | null>(null)
  const form = useForm<Input>({
    mode: "uncontrolled",
    initialValues: { email: "", password: "", account: "" },
    validate: { email: wrongEmail, password: (password) => (password === "" ? "Enter your password." : null) },
  })
  const change = useChange(signIn, { stale: [] })
  const onAnswer = (answer: Answer): void => {
    if ("accounts" in answer) setChoice(answer)
    else cameIn(answer, next)
  }
  const enter = (account: string) => change.mutate({ ...form.getValues(), account }, { onSuccess: onAnswer })
  const { error, isPending } = change
  if (choice !== null)
    return <Choice {...choice} error={error} isPending={isPending} onChoose={enter} onBack={() => setChoice(null)} />
  return (
    <Front title="Sign in">
      <Form form={form} change={change} onSent={onAnswer}>
        <Stack>
          {ended === true && change.error === null && (
            <Alert color="accent" variant="light" role="status">
              Your session has ended. Sign in to go on where you were.
            </Alert>
          )}
          <Problem error={change.error} />
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            key={form.key("email")}
            {...form.getInputProps("email")}
          />
          <PasswordField
            label="Password"
            autoComplete="current-password"
            required
            key={form.key("password")}
            {...form.getInputProps("password")}
          />
          {several ? (
            <TextInput
              label="Account"
              description="The name of the account to sign in to."
              autoComplete="organization"
              // Who asks for the field wants to fill it in.
              // oxlint-disable-next-line jsx-a11y/no-autofocus
              autoFocus
              key={form.key("account")}
              {...form.getInputProps("account")}
            />
          ) : (
            <Anchor component="button" type="button" size="sm" ta="left" onClick={() => setSeveral(true)}>
              Member of several accounts?
            </Anchor>
          )}
          <LoadingButton type="submit" size="md" loading={change.isPending}>
            Sign in
          </LoadingButton>
          <Text size="sm" c="dimmed" ta="center">
            Lost your password? Ask an owner of the account for a link, or whoever runs the server.
          </Text>
          <Anchor component={Link} to="/sign-up" size="sm" ta="center">
            I have an invitation
          </Anchor>
        </Stack>
      </Form>
    </Front>
  )
}
