/** A new key, shown this once, and how to try it. */
import { Text } from "@mantine/core"
import { Once } from "../parts/Once.tsx"
import type { WithKey } from "./ApiKeys.ts"
import { Example } from "./Example.tsx"

export const NewKey = ({ created: { key }, onDone }: { created: WithKey; onDone: () => void }) => (
  <Once
    label="API key"
    value={key}
    warning="Copy the key now and keep it where you keep secrets. Nobody can see it again: who loses it has to make another one."
    onDone={onDone}
  >
    <div>
      <Text size="sm" fw={500} mb={4}>
        Try it
      </Text>
      <Example />
    </div>
  </Once>
)
