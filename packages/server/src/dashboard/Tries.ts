/** Counts what may be tried only so often: signing in, by address and by person, in all processes together. */
import { Errors } from "@tc/api"
import type { Member } from "@tc/domain"
import { type Limit, Throttles } from "@tc/store"
import { Clock, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import * as Caller from "./Caller.ts"
import { DashboardSettings } from "./DashboardSettings.ts"

/** Milliseconds within which tries are counted. */
export const WINDOW_MS = 15 * 60_000
/**
 * Tries within that time: from one address, which many people may share; from one site of IPv6, which may be one caller; for one
 * person from one address; and for one person from all addresses, so high that to keep somebody out takes many of them.
 */
const ADDRESS_MOST = 100
const SITE_MOST = 400
const PERSON_MOST = 20
const PERSON_ANYWHERE_MOST = 200
/** Tries for one member from all browsers in which they have signed in before. */
const DEVICES_MOST = 100

const take = Effect.fnUntraced(function* (limits: ReadonlyArray<Limit>) {
  const again_at = yield* (yield* Throttles).take(limits, WINDOW_MS)
  if (again_at === null) return
  const retry_after_seconds = Math.max(1, Math.ceil((again_at - (yield* Clock.currentTimeMillis)) / 1_000))
  return yield* new Errors.TooManyTries({
    code: "too_many_tries",
    message: `This was tried too often. Try again in ${Math.ceil(retry_after_seconds / 60)} minutes.`,
    retry_after_seconds,
  })
})

/**
 * Fails where it was tried too often; `person` is whom the try is about, where that is known. Right tries count as wrong ones do:
 * else somebody who may sign in elsewhere under the same address could begin anew with each of them.
 */
export const count = Effect.fnUntraced(function* (person: string | null) {
  const settings = yield* DashboardSettings
  const address = Caller.addressOf(yield* HttpServerRequest.HttpServerRequest, settings)
  // First by itself: who is refused leaves nothing behind for each person that they can think of.
  yield* take([{ key: `address:${address}`, most: ADDRESS_MOST }])
  // And who is refused here leaves the neighbours what is theirs.
  const site = Caller.siteOf(address)
  if (site !== null) yield* take([{ key: `site:${site}`, most: SITE_MOST }])
  if (person === null) return
  yield* take([
    { key: `person:${person} ${address}`, most: PERSON_MOST },
    { key: `person:${person}`, most: PERSON_ANYWHERE_MOST },
  ])
})

/**
 * The same in a browser in which this member has signed in before. What others try counts for nothing here, wherever they do, also where
 * another account has a member with this address: whoever keeps strangers out keeps nobody out who is known.
 */
export const countKnown = (id: string, member: Pick<Member.Row, "account_id" | "id">) =>
  take([
    { key: `device:${id}`, most: PERSON_MOST },
    { key: `devices:${member.account_id} ${member.id}`, most: DEVICES_MOST },
  ])
