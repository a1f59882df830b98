/** What of the audit log is shown: it stands in the address, so that it can be shared and gone back to. */
import type { AuditEntry } from "@tc/domain"
import { isNameIn, isSaid, pageSearch } from "../parts/Address.ts"

export interface AuditSearch {
  readonly page?: number
  readonly action?: AuditEntry.Action
  readonly member_id?: string
}

/** What each action is called in the filter. */
export const actions = {
  "session.created": "Signed in",
  "session.refused": "Gave a wrong password",
  "session.throttled": "Tried too often",
  "password.changed": "Changed the password",
  "password.reset_offered": "Made a link for a new password",
  "password.reset": "Chose a new password by link",
  "member.invited": "Invited somebody",
  "member.joined": "Joined",
  "member.role_changed": "Changed a role",
  "member.removed": "Removed a member",
  "invitation.revoked": "Revoked an invitation",
  "api_key.created": "Created an API key",
  "api_key.rotated": "Rotated an API key",
  "api_key.revoked": "Revoked an API key",
  "webhook_endpoint.created": "Created an endpoint",
  "webhook_endpoint.updated": "Changed an endpoint",
  "webhook_endpoint.enabled": "Enabled an endpoint",
  "webhook_endpoint.disabled": "Disabled an endpoint",
  "webhook_endpoint.deleted": "Deleted an endpoint",
  "webhook_endpoint.tested": "Tested an endpoint",
  "webhook_endpoint.recovered": "Recovered an endpoint",
  "secret.revealed": "Looked at a secret",
  "secret.rotated": "Rotated a secret",
  "delivery.retried": "Retried a delivery",
} as const satisfies Record<AuditEntry.Action, string>

export const isAction = (value: unknown): value is AuditEntry.Action => isNameIn(actions, value)

/** The part of an address that makes sense; the rest is left out. */
export const auditSearch = ({ page, action, member_id }: Record<string, unknown>): AuditSearch => ({
  ...pageSearch({ page }),
  ...(isAction(action) ? { action } : {}),
  ...(isSaid(member_id) ? { member_id } : {}),
})
