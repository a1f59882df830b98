/** What every storage refuses, in the same words. */
import { Errors, Limits, Name, type Resource } from "@tc/domain"

export const idTaken = ({ name }: Resource.Any): Errors.Conflict =>
  new Errors.Conflict({
    code: "id_taken",
    message: `There is a ${Name.spoken(name)} with this id in the account already.`,
  })

/** A value of a unique column is in use; `code` is the resource's own for that column. */
export const valueTaken = (column: string, code: Errors.ConflictCode): Errors.Conflict =>
  new Errors.Conflict({ code, message: `The ${column} is in use in this account.` })

export const nameTaken = (name: string): Errors.Conflict =>
  new Errors.Conflict({ code: "name_taken", message: `There is an account named ${name} already.` })

export const noAccount = (name: string): Errors.NotFound =>
  new Errors.NotFound({ message: `There is no account named ${name}.` })

export const noAccountOf = (id: string): Errors.NotFound =>
  new Errors.NotFound({ message: `There is no account with the id ${id}.` })

export const emailTaken = (email: string): Errors.Conflict =>
  new Errors.Conflict({ code: "email_taken", message: `The account has a member with the address ${email} already.` })

/** One message for all reasons: whoever holds a token learns nothing else from it. */
export const noInvitation = (): Errors.NotFound =>
  new Errors.NotFound({ message: "There is no such invitation: it was used or revoked, or its time is over." })

export const noReset = (): Errors.NotFound =>
  new Errors.NotFound({ message: "There is no such link for another password: it was used, or its time is over." })

export const tooManyInvitations = (): Errors.Conflict =>
  new Errors.Conflict({
    code: "too_many_invitations",
    message: `${Limits.INVITATIONS_MAX} invitations of the account are open: revoke some, or wait until they are accepted.`,
  })

export const keyNotActive = (): Errors.Conflict =>
  new Errors.Conflict({ code: "key_not_active", message: "The API key is revoked or has expired; create a new one." })

export const tooManyApiKeys = (): Errors.Conflict =>
  new Errors.Conflict({
    code: "too_many_api_keys",
    message: `${Limits.API_KEYS_MAX} API keys of the account are active: revoke one first, or rotate one without an overlap.`,
  })

export const deliveryInProgress = (): Errors.Conflict =>
  new Errors.Conflict({ code: "delivery_in_progress", message: "An attempt of this delivery is being made." })

export const endpointNotActive = (): Errors.Conflict =>
  new Errors.Conflict({
    code: "endpoint_not_active",
    message: "The endpoint is disabled or deleted; enable it first.",
  })

export const recoveryInProgress = (): Errors.Conflict =>
  new Errors.Conflict({
    code: "recovery_in_progress",
    message: "A recovery of this endpoint is under way; another can begin when it has ended.",
  })
