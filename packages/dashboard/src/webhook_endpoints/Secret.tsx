/** The signing secret of an endpoint, and what it is for. */
import { Once } from "../parts/Once.tsx"
import type { WithSecret } from "./WebhookEndpoints.ts"

interface Props {
  readonly shown: WithSecret
  readonly onDone: () => void
}

export const Secret = ({ shown: { secret }, onDone }: Props) => (
  <Once
    label="Signing secret"
    value={secret}
    warning="The receiver checks with it that a delivery comes from here. Keep it where you keep secrets. Developers can reveal it again later, which is noted in the audit log."
    done="Done"
    onDone={onDone}
  />
)
