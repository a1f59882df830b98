/** Links that let people into an account. */
import { Dashboard } from "@tc/api"
import { type Invitation, Value } from "@tc/domain"
import { Invitations } from "@tc/store"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Responses from "../http/Responses.ts"
import * as Audit from "./Audit.ts"
import * as NewInvitation from "./NewInvitation.ts"

/** What the audit log calls an invitation; one that is over has no name. */
const subject = (id: string, invitation?: Pick<Invitation.Invitation, "email" | "role">): Audit.Subject => ({
  id,
  name: invitation === undefined ? id : `${invitation.email ?? "anybody with the link"}: ${invitation.role}`,
})

export const layer = HttpApiBuilder.group(
  Dashboard.Dashboard,
  "invitations",
  Effect.fnUntraced(function* (group) {
    const { create, list, revoke } = yield* Invitations
    return group.handleAll({
      list: Effect.fnUntraced(function* () {
        const { account_id } = yield* Dashboard.CurrentSession
        const now = Value.timestamp(yield* Clock.currentTimeMillis)
        return Responses.json({ data: yield* list(account_id, now) })
      }),
      create: Effect.fnUntraced(function* ({ payload: { role, email = null } }) {
        const { account_id, member } = yield* Dashboard.CurrentSession
        const request = { account_id, role, email, invited_by: member.id }
        const { token, row } = NewInvitation.make(request, yield* Clock.currentTimeMillis)
        const made = yield* Audit.changedByOwner("member.invited", create(row), ({ id }) =>
          subject(id, { email, role }),
        )
        return Responses.json({ ...made, token }, 201)
      }),
      delete: Effect.fnUntraced(function* ({ params: { id } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const now = Value.timestamp(yield* Clock.currentTimeMillis)
        const found = (yield* list(account_id, now)).find((one) => one.id === id)
        yield* Audit.changedByOwner("invitation.revoked", revoke(account_id, id), () => subject(id, found))
        return Responses.noContent
      }),
    })
  }),
)
