/** Counts what may be tried only so often: signing in, by address and by person, in all processes together. */
import { Errors } from "@tc/api"
import { Throttles } from "@tc/store"
import { Clock, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import * as Caller from "./Caller.ts"
import { DashboardSettings } from "./DashboardSettings.ts"

const WINDOW_MS = 15 * 60_000
/** Tries within that time, for one person and from one address: many people may share one. */
const PERSON_MOST = 20
const ADDRESS_MOST = 100

/** Fails where it was tried too often; `person` is whom the try is about, where that is known. */
export const count = Effect.fnUntraced(function* (person: string | null) {
  const throttles = yield* Throttles
  const settings = yield* DashboardSettings
  const address = Caller.addressOf(yield* HttpServerRequest.HttpServerRequest, settings)
  const its = person === null ? [] : [{ key: `person:${person}`, most: PERSON_MOST }]
  const again_at = yield* throttles.take([...its, { key: `address:${address}`, most: ADDRESS_MOST }], WINDOW_MS)
  if (again_at === null) return
  const retry_after_seconds = Math.max(1, Math.ceil((again_at - (yield* Clock.currentTimeMillis)) / 1_000))
  return yield* new Errors.TooManyTries({
    code: "too_many_tries",
    message: `This was tried too often. Try again in ${Math.ceil(retry_after_seconds / 60)} minutes.`,
    retry_after_seconds,
  })
})

/** Whoever got in may try again. */
export const forget = (person: string) => Effect.flatMap(Throttles, (throttles) => throttles.clear(`person:${person}`))
