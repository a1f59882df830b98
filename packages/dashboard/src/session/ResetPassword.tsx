/** Choosing another password with the link that an owner, or whoever runs the server, has made. */
import type { Dashboard } from "@tc/api"
import { Anchor, Skeleton, Stack, Text } from "@mantine/core"
import { useForm } from "@mantine/form"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { Link, useLocation } from "@tanstack/react-router"
import { Failure, post } from "../Api.ts"
import { useChange } from "../Client.ts"
import { Front } from "../layout/Front.tsx"
import { Form } from "../parts/Form.tsx"
import { LoadingButton } from "../parts/LoadingButton.tsx"
import { Problem } from "../parts/Problem.tsx"
import { NewPassword } from "./NewPassword.tsx"
import { wrongPassword } from "./Session.ts"
import { useCameIn } from "./SignIn.tsx"

type Preview = typeof Dashboard.PasswordResetPreview.Type

/** Every look counts as a try. */
const preview = (token: string) =>
  queryOptions({
    queryKey: ["password_reset", token],
    queryFn: () => post<Preview>("/password_resets/preview", { token }),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })

const Choice = ({ token, account, email, name }: Preview & { readonly token: string }) => {
  const cameIn = useCameIn()
  const form = useForm({ mode: "uncontrolled", initialValues: { password: "" }, validate: { password: wrongPassword } })
  const change = useChange(
    ({ password }: { password: string }) => post<Dashboard.SignedIn>("/password_resets", { token, password }),
    { stale: [] },
  )
  return (
    <Front title="Choose a new password" about={`For ${name} (${email}) in ${account.name}.`}>
      <Form form={form} change={change} onSent={(signed_in) => cameIn(signed_in)}>
        {/* Password managers need to know whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <Stack>
          <Problem error={change.error} />
          <NewPassword form={form} />
          <Text size="sm" c="dimmed">
            Wherever you are signed in to this account, that session ends.
          </Text>
          <LoadingButton type="submit" size="md" loading={change.isPending}>
            Save and sign in
          </LoadingButton>
        </Stack>
      </Form>
    </Front>
  )
}

/** A link that is not found was used, replaced, or is over: the server does not tell which. */
const isWrong = (error: Error | null): boolean =>
  error instanceof Failure && (error.status === 404 || error.status === 422)

export const ResetPassword = () => {
  const { hash: token } = useLocation()
  const found = useQuery(preview(token))
  if (found.isSuccess) return <Choice token={token} {...found.data} />
  return (
    <Front
      title="Choose a new password"
      about={
        isWrong(found.error)
          ? "This link does not work: it was used, a newer one was made, or its day is over. Ask an owner of the account for another."
          : undefined
      }
    >
      <Stack>
        {found.isPending && <Skeleton h={200} />}
        {!isWrong(found.error) && <Problem error={found.error} />}
        {found.isError && (
          <Anchor component={Link} to="/sign-in" size="sm" ta="center">
            Sign in instead
          </Anchor>
        )}
      </Stack>
    </Front>
  )
}
