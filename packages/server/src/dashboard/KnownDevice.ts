/** Who signs in where they have signed in before: they go before strangers, who may be many. */
import type { Errors } from "@tc/api"
import { Device, type Member } from "@tc/domain"
import type { Accounts, Members, Throttles } from "@tc/store"
import { Clock, Effect, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import type { Line } from "../Passwords.ts"
import * as Cookie from "./Cookie.ts"
import { DashboardSettings } from "./DashboardSettings.ts"
import * as SigningIn from "./SigningIn.ts"
import * as Tries from "./Tries.ts"

/** Looked at where there is no member, so that the time tells nothing of whom there is. */
const nobody = { email: "", password_hash: "" }

/**
 * The device from which somebody signs in as a member with this address, that member, and all members whom it names; null where it
 * is not known.
 */
const find = Effect.fnUntraced(function* (email: string, account: string | null) {
  const text = Cookie.device.read(yield* HttpServerRequest.HttpServerRequest, yield* DashboardSettings)
  if (text === undefined || !Device.isDevice(text)) return null
  const members = yield* SigningIn.candidates(email, account)
  const millis = yield* Clock.currentTimeMillis
  const all = Array.from({ length: SigningIn.most(account) }, (_, nth) => {
    const member = members[nth]
    const id = Device.idOf(text, member ?? nobody, millis)
    // Anybody can seal what is nobody's.
    return id === null || member === undefined ? null : { id, member, members }
  })
  return all.find((known) => known !== null) ?? null
})

/** Whose passwords may be looked at for a try to sign in, and the line in which that waits. */
export interface Admitted {
  readonly members: ReadonlyArray<Member.Row>
  readonly line: Line
}

/**
 * Counts a try to sign in. Where the device is one of a member, the others with that address are looked at only while strangers
 * may try: an owner of another account can make a member with anybody's address, and a device of theirs.
 */
export const admit = Effect.fnUntraced(function* (
  email: string,
  account: string | null,
): Effect.fn.Return<
  Admitted,
  Errors.TooManyTries,
  Accounts | Members | Throttles | HttpServerRequest.HttpServerRequest
> {
  const known = yield* find(email, account)
  if (known === null) {
    yield* Tries.count(email)
    return { members: yield* SigningIn.candidates(email, account), line: "strangers" }
  }
  const { id, member, members } = known
  yield* Tries.countKnown(id, member)
  const isAlone = members.length === 1 || Result.isFailure(yield* Effect.result(Tries.count(email)))
  return { members: isAlone ? [member] : members, line: "known" }
})
