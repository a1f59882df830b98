/** The people of an account, and their roles. */
import { Dashboard } from "@tc/api"
import type { Member } from "@tc/domain"
import { Members } from "@tc/store"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Responses from "../http/Responses.ts"
import * as Audit from "./Audit.ts"
import * as PasswordResets from "./PasswordResets.ts"

export const layer = HttpApiBuilder.group(
  Dashboard.Dashboard,
  "members",
  Effect.fnUntraced(function* (group) {
    const { get, list, remove, setRole } = yield* Members
    return group.handleAll({
      list: () =>
        Effect.flatMap(Dashboard.CurrentSession, ({ account_id }) =>
          Effect.map(list(account_id), (data) => Responses.json({ data })),
        ),
      modify: Effect.fnUntraced(function* ({ params: { id }, payload: { role } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const change = setRole(account_id, id, role)
        const subject = ({ email }: Member.Member) => ({ id, name: `${email}: ${role}` })
        return Responses.json(yield* Audit.changedByOwner("member.role_changed", change, subject))
      }),
      offer_reset: Effect.fnUntraced(function* ({ params: { id } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const offer = PasswordResets.offer(account_id, id)
        const { offered } = yield* Audit.changedByOwner("password.reset_offered", offer, PasswordResets.subject)
        return Responses.json(offered, 201)
      }),
      delete: Effect.fnUntraced(function* ({ params: { id } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const { email } = yield* get(account_id, id)
        yield* Audit.changedByOwner("member.removed", remove(account_id, id), () => ({ id, name: email }))
        return Responses.noContent
      }),
    })
  }),
)
