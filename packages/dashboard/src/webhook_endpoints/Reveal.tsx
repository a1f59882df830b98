/** Revealing the signing secret, after saying that this is noted. */
import { Stack, Text } from "@mantine/core"
import { useState } from "react"
import { useChange } from "../Client.ts"
import { Foot } from "../parts/Foot.tsx"
import { Secret } from "./Secret.tsx"
import { type Endpoint, reveal, type WithSecret } from "./WebhookEndpoints.ts"

export const Reveal = ({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) => {
  const [shown, setShown] = useState<WithSecret | null>(null)
  const change = useChange(reveal, { stale: [["audit"]] })
  if (shown !== null) return <Secret shown={shown} onDone={onClose} />
  return (
    <Stack>
      <Text size="sm">
        Receivers check deliveries with this secret. The audit log notes that you have looked at it.
      </Text>
      <Foot
        change={change}
        action="Reveal the secret"
        onAction={() => change.mutate(endpoint, { onSuccess: setShown })}
        onClose={onClose}
        focused
      />
    </Stack>
  )
}
