/** The members of the account and the invitations that are open. */
import type { Dashboard } from "@tc/api"
import type { Invitation as Domain, Member as DomainMember } from "@tc/domain"
import { queryOptions } from "@tanstack/react-query"
import { get, patch, post, remove } from "../Api.ts"

export type Member = DomainMember.Member
export type Invitation = Domain.Invitation
export type WithToken = typeof Dashboard.InvitationWithToken.Type

export const members = queryOptions({
  queryKey: ["members"],
  queryFn: async ({ signal }) => (await get<typeof Dashboard.MemberList.Type>("/members", {}, signal)).data,
})

export const invitations = queryOptions({
  queryKey: ["invitations"],
  queryFn: async ({ signal }) => (await get<typeof Dashboard.InvitationList.Type>("/invitations", {}, signal)).data,
})

/** What a change of a member makes stale: the role may be one's own. */
export const stale_members = [["members"], ["session"], ["audit"]] as const
export const stale_invitations = [["invitations"], ["audit"]] as const

export const changeRole = ({ id, role }: { id: string; role: DomainMember.Role }) =>
  patch<Member>(`/members/${id}`, { role })
export const removeMember = ({ id }: Member) => remove(`/members/${id}`)

export const invite = (input: typeof Dashboard.InvitationCreate.Type) => post<WithToken>("/invitations", input)
export const revokeInvitation = ({ id }: Invitation) => remove(`/invitations/${id}`)

export type ResetOffer = typeof Dashboard.PasswordResetOffer.Type
export const offerReset = ({ id }: Member) => post<ResetOffer>(`/members/${id}/password_reset`)

/** The token stands behind the #, which browsers send to no server, so that no log has it. */
export const linkOf = ({ token }: WithToken): string => `${globalThis.location.origin}/dashboard/sign-up#${token}`
export const resetLinkOf = ({ token }: ResetOffer): string =>
  `${globalThis.location.origin}/dashboard/reset-password#${token}`
