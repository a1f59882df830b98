/** Inviting somebody: the role, perhaps the address, and then the link, shown this once. */
import { Stack, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useChange } from "../Client.ts"
import { Dialog, useAnswer } from "../parts/Dialog.tsx"
import { Once } from "../parts/Once.tsx"
import { Foot } from "../parts/Foot.tsx"
import { Form } from "../parts/Form.tsx"
import { wrongEmail } from "../session/Session.ts"
import { invite, linkOf, stale_invitations, type WithToken } from "./Members.ts"
import { type Role, RoleChoice } from "./RoleChoice.tsx"

interface Input {
  readonly role: Role
  readonly email: string
}

const send = ({ role, email }: Input) => invite({ role, email: email.trim() === "" ? null : email.trim() })

const Fields = ({ onInvited, onClose }: { onInvited: (created: WithToken) => void; onClose: () => void }) => {
  const form = useForm<Input>({
    initialValues: { role: "developer", email: "" },
    validate: { email: (email) => (email.trim() === "" ? null : wrongEmail(email)) },
  })
  const change = useChange(send, { stale: stale_invitations })
  return (
    <Form form={form} change={change} onSent={onInvited}>
      <Stack>
        <RoleChoice value={form.values.role} onChange={(role) => form.setFieldValue("role", role)} />
        <TextInput
          label="E-mail (optional)"
          description="Only this address can use the link. Leave it empty for anyone who has the link."
          type="email"
          autoComplete="off"
          {...form.getInputProps("email")}
        />
        <Foot change={change} action="Create link" onClose={onClose} />
      </Stack>
    </Form>
  )
}

export const Invite = (dialog: { opened: boolean; onClose: () => void }) => {
  const [created, setCreated] = useAnswer<WithToken>(dialog.opened)
  return (
    <Dialog {...dialog} title={created === null ? "Invite a member" : "The invitation's link"} held={created !== null}>
      {created === null ? (
        <Fields onInvited={setCreated} onClose={dialog.onClose} />
      ) : (
        <Once
          label="Link"
          value={linkOf(created)}
          warning="Copy the link now and give it to the person yourself: no message is sent. It works once, for 7 days, and nobody can see it again."
          onDone={dialog.onClose}
        />
      )}
    </Dialog>
  )
}
