/** What went wrong and what to do about it, where the reader is looking. */
import { Alert, Button, Group, Text } from "@mantine/core"
import { IconAlertTriangle } from "@tabler/icons-react"
import { Failure } from "../Api.ts"

/** How long to wait, in words. */
export const waiting = (seconds: number): string => {
  if (seconds < 60) return seconds === 1 ? "in 1 second" : `in ${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? "in a minute" : `in ${minutes} minutes`
}

/** What is said for codes about which the page knows more than the server's message says. */
const sentences: Readonly<Record<string, (failure: Failure) => string>> = {
  wrong_credentials: () => "This e-mail address and password do not belong together. Check both, then try again.",
  too_many_tries: ({ retry_after }) =>
    `Too many tries. Wait, then try again ${retry_after === null ? "in a few minutes" : waiting(retry_after)}.`,
  validation_failed: () => "Correct what is marked, then try again.",
  not_found: () => "It is not there: it was deleted, it was removed for its age, or the address is mistyped.",
  insufficient_role: () => "Your role does not allow this. Ask an owner of the account.",
}

export const sentence = (error: Error): string =>
  error instanceof Failure ? (sentences[error.code]?.(error) ?? error.message) : "Something went wrong in this page."

/** An error, announced as it appears. `retry` is offered where asking again may help. */
export const Problem = ({ error, title, retry }: { error: Error | null; title?: string; retry?: () => void }) =>
  error === null ? null : (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      {...(title === undefined ? {} : { title })}
    >
      <Text size="sm">{sentence(error)}</Text>
      {error instanceof Failure && error.status >= 500 && error.request_id !== null && (
        <Text size="sm" mt="xs">
          Request <span className="mono">{error.request_id}</span> finds it in the server&rsquo;s log.
        </Text>
      )}
      {retry !== undefined && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        </Group>
      )}
    </Alert>
  )

/** What the server says of a field: it `is …` or `must …`, where it is no sentence already. */
const ofField = (message: string): string => (/^\p{Lu}/u.test(message) ? message : `This ${message}.`)

/** The server's messages by field, as forms take them: `/email` is the field `email`. */
export const fieldErrors = (error: Error): Record<string, string> =>
  error instanceof Failure
    ? Object.fromEntries(error.errors.map(({ path, message }) => [path.split("/")[1] ?? "", ofField(message)]))
    : {}
