/** What was done, in plain words: the sentence that follows who did it. */
import type { AuditEntry } from "@tc/domain"
import { Text } from "@mantine/core"

/** What comes before the name of what it was done to, and what stands there if that has none. */
type Words = readonly [before: string, nameless?: string]

const words = {
  "session.created": ["signed in"],
  "session.refused": ["gave a wrong password for", "a member"],
  "session.throttled": ["was kept out after too many tries to sign in as", "a member"],
  "password.changed": ["changed their password"],
  "password.reset_offered": ["made a link for a new password of", "a member"],
  "password.reset": ["chose a new password with a link"],
  "member.invited": ["invited", "somebody"],
  "member.joined": ["joined the account"],
  "member.role_changed": ["changed the role of", "a member"],
  "member.removed": ["removed the member", "whose name is gone"],
  "invitation.revoked": ["revoked the invitation for", "whoever has the link"],
  "api_key.created": ["created the API key", "without a name"],
  "api_key.rotated": ["rotated the API key", "without a name"],
  "api_key.revoked": ["revoked the API key", "without a name"],
  "webhook_endpoint.created": ["created the endpoint", "without an address"],
  "webhook_endpoint.updated": ["changed the endpoint", "without an address"],
  "webhook_endpoint.enabled": ["enabled the endpoint", "without an address"],
  "webhook_endpoint.disabled": ["disabled the endpoint", "without an address"],
  "webhook_endpoint.deleted": ["deleted the endpoint", "without an address"],
  "webhook_endpoint.tested": ["sent a test to the endpoint", "without an address"],
  "webhook_endpoint.recovered": ["sent again what was missed by the endpoint", "without an address"],
  "secret.revealed": ["looked at the signing secret of", "an endpoint"],
  "secret.rotated": ["rotated the signing secret of", "an endpoint"],
  "delivery.retried": ["sent again the delivery", "of an event"],
} as const satisfies Record<AuditEntry.Action, Words>

export const Sentence = ({ action, subject }: AuditEntry.AuditEntry) => {
  const [before, nameless]: Words = words[action]
  return (
    <Text size="sm" className="name">
      {before}
      {nameless !== undefined && " "}
      {nameless !== undefined && (subject === null ? nameless : <strong>{subject}</strong>)}
    </Text>
  )
}
