/** A new invitation: the token that its link ends in, and as it is kept. */
import { Id, Invitation, Session, Value } from "@tc/domain"
import { newId } from "../http/Incoming.ts"
import { newToken } from "./SigningIn.ts"

/** Who invites whom, as what. */
export type Request = Pick<Invitation.Invitation, "account_id" | "role" | "email" | "invited_by">

/** An invitation made at `millis`, with a token at random. */
export const make = (request: Request, millis: number): { readonly token: string; readonly row: Invitation.Row } => {
  const token = newToken()
  const row = {
    ...request,
    id: Id.InvitationId.id.make(newId(millis)),
    token_hash: Session.hash(token),
    expires_at: Value.timestamp(millis + Invitation.LASTS_MS),
    created_at: Value.timestamp(millis),
  }
  return { token, row }
}
