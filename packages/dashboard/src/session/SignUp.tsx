/** Setting up and accepting an invitation, which are the same: a token, and then who one is. */
import { Anchor, Button, Skeleton, Stack, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link, useLocation } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { Failure } from "../Api.ts"
import { Front } from "../layout/Front.tsx"
import { sentence } from "../parts/Problem.tsx"
import { Joining } from "./Joining.tsx"
import { invited, signUps } from "./SignUps.ts"

/** People paste the whole link as often as the token, and what the log says behind it. */
export const tokenIn = (text: string): string => /^\S+/u.exec(text.split("#").at(-1)?.trim() ?? "")?.[0] ?? ""

interface TokenProps {
  readonly token: string
  readonly first: boolean
  readonly wrong: string | null
  readonly onToken: (token: string) => void
}

const Token = ({ token, first, wrong, onToken }: TokenProps) => {
  const [text, setText] = useState(token)
  const [empty, setEmpty] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setEmpty(tokenIn(text) === "")
    if (tokenIn(text) === "") event.currentTarget.querySelector("input")?.focus()
    else onToken(tokenIn(text))
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={first ? "Set-up token" : "Invitation"}
          description={
            first
              ? "Printed in the server's log when it starts."
              : "The link that you were given, or its part after the #."
          }
          error={empty ? "Paste it here." : wrong}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          required
          classNames={{ input: "mono" }}
        />
        <Button type="submit" size="md">
          Continue
        </Button>
        {!first && (
          <Anchor component={Link} to="/sign-in" size="sm" ta="center">
            Sign in instead
          </Anchor>
        )}
      </Stack>
    </form>
  )
}

/** An invitation that is not found was used, revoked, or has ended: the server does not tell which. */
const wrongToken = (error: Error | null, first: boolean): string | null => {
  if (error === null) return null
  if (!(error instanceof Failure) || (error.status !== 404 && error.status !== 422)) return sentence(error)
  return first
    ? "This is not the set-up token. Copy it once more from the server's log, all of it."
    : "This does not work: it was used, revoked, has ended, or is mistyped. If you have joined already, sign in; else ask whoever gave it to you for a new one."
}

export const SignUp = () => {
  const { hash } = useLocation()
  const [typed, setTyped] = useState("")
  const token = typed === "" ? hash : typed
  const { data: state } = useQuery(signUps)
  const invitation = useQuery(invited(token))
  const first = state?.first === true
  if (invitation.isSuccess) return <Joining token={token} invited={invitation.data} first={first} />
  const title = first ? "Set up tc" : "Accept an invitation"
  if (token !== "" && invitation.isPending)
    return (
      <Front title={title} about="Looking the invitation up.">
        <Skeleton h={200} />
      </Front>
    )
  return (
    <Front
      title={title}
      about={first ? "Nobody has signed up yet. The first member becomes the owner of the account." : undefined}
    >
      <Token
        token={token}
        first={first}
        wrong={wrongToken(invitation.error, first)}
        // The same token once more is a new try: the server may have been away at the first.
        onToken={(next) => (next === token ? void invitation.refetch() : setTyped(next))}
      />
    </Front>
  )
}
