/** Becoming a member: whether anybody is one yet, what an invitation leads to, and accepting it. */
import type { Dashboard } from "@tc/api"
import { queryOptions } from "@tanstack/react-query"
import { get, post } from "../Api.ts"

export type Invited = typeof Dashboard.InvitationPreview.Type

export const signUps = queryOptions({
  queryKey: ["sign_ups"],
  queryFn: ({ signal }) => get<{ readonly first: boolean }>("/sign_ups", {}, signal),
  staleTime: 0,
})

/** An invitation does not change while it is looked at, and every look counts as a try. */
export const invited = (token: string) =>
  queryOptions({
    queryKey: ["invited", token],
    queryFn: () => post<Invited>("/sign_ups/preview", { token }),
    enabled: token !== "",
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })

export const signUp = (input: typeof Dashboard.SignUp.Type) => post<Dashboard.SignedIn>("/sign_ups", input)
