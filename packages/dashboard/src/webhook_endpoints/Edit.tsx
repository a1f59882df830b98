/** The dialogs that create and change an endpoint; a new one shows its secret in the same dialog. */
import { useChange } from "../Client.ts"
import { Dialog, useAnswer } from "../parts/Dialog.tsx"
import { Secret } from "./Secret.tsx"
import { type Input, settingsOf } from "./Settings.ts"
import { SettingsForm } from "./SettingsForm.tsx"
import { create, type Endpoint, modify, stale, type WithSecret } from "./WebhookEndpoints.ts"

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
}

const Fields = ({ onCreated, onClose }: { onCreated: (created: WithSecret) => void; onClose: () => void }) => {
  const change = useChange((input: Input) => create(settingsOf(input)), { stale })
  return <SettingsForm endpoint={null} change={change} action="Create endpoint" onSent={onCreated} onClose={onClose} />
}

interface CreateProps extends Props {
  /** The secret of the new one was seen. */
  readonly onCreated: (created: WithSecret) => void
}

export const Create = ({ opened, onClose, onCreated }: CreateProps) => {
  const [created, setCreated] = useAnswer<WithSecret>(opened)
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      wide
      title={created === null ? "Create a webhook endpoint" : "The endpoint's signing secret"}
      held={created !== null}
    >
      {created === null ? (
        <Fields onCreated={setCreated} onClose={onClose} />
      ) : (
        <Secret shown={created} onDone={() => onCreated(created)} />
      )}
    </Dialog>
  )
}

const Change = ({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) => {
  const change = useChange((input: Input) => modify({ id: endpoint.id, ...settingsOf(input) }), {
    stale,
    said: () => "The endpoint is changed.",
  })
  return <SettingsForm endpoint={endpoint} change={change} action="Save" onSent={onClose} onClose={onClose} />
}

export const Edit = ({ endpoint, opened, onClose }: Props & { endpoint: Endpoint | null }) => (
  <Dialog opened={opened} onClose={onClose} wide title="Edit the webhook endpoint">
    {endpoint !== null && <Change endpoint={endpoint} onClose={onClose} />}
  </Dialog>
)
