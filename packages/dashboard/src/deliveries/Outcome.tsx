/** What became of an attempt, in words. */
import type { Delivery } from "@tc/domain"
import { Badge, Text } from "@mantine/core"
import { Block } from "../parts/Block.tsx"

type Outcome = Pick<Delivery.Attempt, "status_code" | "error" | "duration_ms" | "response_excerpt">

/** Why there was no answer, and what to look at. */
const errors = {
  timeout: "No answer in time. The receiver should answer first and work afterwards.",
  dns_error: "The host's name was not found. Check the URL and its DNS records.",
  connection_refused: "The connection was refused. Check that the receiver runs and listens on this port.",
  connection_reset: "The connection was closed before there was an answer.",
  tls_error: "No secure connection. Check the certificate: its name, its end and its chain.",
  blocked_address: "The address is private, and this server does not send there.",
  invalid_response: "What came back was no HTTP answer.",
} as const satisfies Record<Delivery.AttemptError, string>

export const succeeded = ({ status_code }: Pick<Outcome, "status_code">): boolean =>
  status_code !== null && status_code >= 200 && status_code < 300

/** One sentence: the status that was answered, or why there was none. */
export const said = ({ status_code, error }: Pick<Outcome, "status_code" | "error">): string => {
  if (error !== null) return errors[error]
  return status_code === null ? "There was no answer." : `Answered with status ${status_code}.`
}

/** How long it took, in words. */
export const took = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)

export const OutcomeLine = ({ outcome }: { outcome: Outcome }) => {
  const good = succeeded(outcome)
  return (
    <Text size="sm" component="div">
      <Badge color={good ? "teal" : "red"} mr="xs">
        {outcome.status_code ?? "No answer"}
      </Badge>
      {said(outcome)} It took {took(outcome.duration_ms)}.
    </Text>
  )
}

/** The start of the answer, as text: it comes from outside. */
export const Excerpt = ({ text, label }: { text: string | null; label: string }) =>
  text === null || text === "" ? (
    <Text size="sm" c="dimmed">
      The answer had no body.
    </Text>
  ) : (
    <Block label={label} text={text} />
  )
