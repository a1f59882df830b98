/** Revoking a key, after saying what stops working. */
import { Text } from "@mantine/core"
import { useChange } from "../Client.ts"
import { Confirm } from "../parts/Confirm.tsx"
import { Time } from "../parts/Time.tsx"
import { type Key, revoke, stale } from "./ApiKeys.ts"

export const Revoke = ({ api_key, onClose }: { api_key: Key; onClose: () => void }) => {
  const { name, prefix, last_used_at } = api_key
  const change = useChange(revoke, { stale, said: () => `The API key “${name}” is revoked.` })
  return (
    <Confirm subject={api_key} change={change} action="Revoke key" onClose={onClose}>
      <Text size="sm">
        Every program that uses <strong>{name}</strong> (<span className="mono">tc_{prefix}…</span>) is refused from
        then on, at once. This cannot be undone.
      </Text>
      <Text size="sm" c="dimmed">
        {last_used_at === null ? (
          "It has never been used."
        ) : (
          <>
            It was last used <Time at={last_used_at} />. To replace it without a gap, rotate it instead.
          </>
        )}
      </Text>
    </Confirm>
  )
}
