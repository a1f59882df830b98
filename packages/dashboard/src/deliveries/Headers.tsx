/** The headers that an attempt was sent with. */
import { Stack, Text } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { Block } from "../parts/Block.tsx"
import { Fold } from "../parts/Fold.tsx"
import type { Attempt } from "./Deliveries.ts"

/** Why there are no signatures, in words. */
const reasons = {
  settings_unknown:
    "The endpoint was changed since, and what it was is not known any more, so the signatures cannot be shown.",
  secret_unreadable: "The server cannot read the secret that signed it, so the signatures cannot be shown.",
  endpoint_deleted: "The endpoint was deleted and its secret with it, so the signatures cannot be shown.",
  event_pruned: "The body was removed for its age, so the signatures, which are over it, cannot be shown.",
} as const satisfies Record<NonNullable<Attempt["unsigned"]>, string>

/** How far an attempt came that nothing was sent in. */
const unsent: ReadonlyArray<Attempt["error"]> = ["dns_error", "connection_refused", "tls_error", "blocked_address"]

const linesOf = (headers: Attempt["headers"]): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")

export const Headers = ({ attempt: { number, headers, unsigned, signed_by_present, error } }: { attempt: Attempt }) => {
  const [opened, { toggle }] = useDisclosure(false)
  return (
    <Fold label="Headers" opened={opened} onToggle={toggle}>
      <Stack gap="xs" pt="xs">
        {unsent.includes(error) && <Text size="sm">There was no connection, so that nothing was sent.</Text>}
        {unsigned !== null && <Text size="sm">{reasons[unsigned]}</Text>}
        {unsigned === null && !signed_by_present && (
          <Text size="sm">It was signed with a secret that has been replaced since.</Text>
        )}
        <Block label={`The headers of attempt ${number}`} text={linesOf(headers)} />
      </Stack>
    </Fold>
  )
}
