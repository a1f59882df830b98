/** Making a link with which a member chooses another password, shown this once. */
import { Stack, Text } from "@mantine/core"
import { useChange } from "../Client.ts"
import { Dialog, useAnswer } from "../parts/Dialog.tsx"
import { Foot } from "../parts/Foot.tsx"
import { Once } from "../parts/Once.tsx"
import { type Member, offerReset, type ResetOffer, resetLinkOf } from "./Members.ts"

interface QuestionProps {
  readonly member: Member
  readonly onOffered: (offer: ResetOffer) => void
  readonly onClose: () => void
}

const Question = ({ member, onOffered, onClose }: QuestionProps) => {
  const change = useChange(offerReset, { stale: [["audit"]] })
  return (
    <Stack>
      <Text size="sm">
        With the link <strong>{member.name}</strong> ({member.email}) chooses a new password for this account. The
        present one works until then; after it, they are signed out everywhere else.
      </Text>
      <Text size="sm" c="dimmed">
        A link that was made before works no more. Whoever has it can sign in as {member.name}: give it to nobody else.
      </Text>
      <Foot
        change={change}
        action="Create link"
        onAction={() => change.mutate(member, { onSuccess: onOffered })}
        onClose={onClose}
        focused
      />
    </Stack>
  )
}

interface Props {
  readonly opened: boolean
  readonly member: Member | null
  readonly onClose: () => void
}

export const ResetPassword = ({ opened, member, onClose }: Props) => {
  const [offer, setOffer] = useAnswer<ResetOffer>(opened)
  const name = member?.name ?? ""
  return (
    <Dialog opened={opened} onClose={onClose} title={`A new password for ${name}`} held={offer !== null}>
      {member !== null && offer === null && <Question member={member} onOffered={setOffer} onClose={onClose} />}
      {offer !== null && (
        <Once
          label="Link"
          value={resetLinkOf(offer)}
          warning={`Copy the link now and give it to ${name} yourself: no message is sent. It works once, for a day, and nobody can see it again.`}
          onDone={onClose}
        />
      )}
    </Dialog>
  )
}
