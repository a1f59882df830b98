/**
 * Notes who was refused to sign in, in the accounts of the address that was given. It does so beside the request: an answer must
 * take as long for an address that nobody has, of which there is nothing to note.
 */
import type { AuditEntry } from "@tc/domain"
import { Throttles } from "@tc/store"
import { Effect, Queue } from "effect"
import * as Audit from "./Audit.ts"
import * as SigningIn from "./SigningIn.ts"
import * as Tries from "./Tries.ts"

/** Of each kind, entries about one member within one window of tries: whoever goes on for ever does not fill the log. */
const most = { "session.refused": 10, "session.throttled": 1 } as const satisfies Partial<
  Record<AuditEntry.Action, number>
>

/** Tries that wait to be noted at most; more are not, while somebody floods the server with them. */
const WAITING_MOST = 1_000

/** Somebody who was kept out. */
export interface KeptOut {
  readonly action: keyof typeof most
  readonly email: string
  /** The name of the account that they wanted to enter, where they gave one. */
  readonly account: string | null
  /** From which address they tried. */
  readonly from: string
}

const note = Effect.fnUntraced(function* ({ action, email, account, from }: KeptOut) {
  const { take } = yield* Throttles
  for (const { account_id, id } of yield* SigningIn.candidates(email, account)) {
    const limit = { key: `${action}:${account_id} ${id}`, most: most[action] }
    const isEnough = (yield* take([limit], Tries.WINDOW_MS)) !== null
    if (!isEnough) yield* Audit.noteIn(account_id, action, { id, name: `${email}, from ${from}` })
  }
})

/** How to have somebody noted, for as long as the scope is open. It takes no time. */
export const make = Effect.gen(function* () {
  const waiting = yield* Queue.dropping<KeptOut>(WAITING_MOST)
  const step = Effect.flatMap(Queue.take(waiting), (one) =>
    Effect.catchCause(note(one), (cause) => Effect.logWarning("who was refused to sign in cannot be noted now", cause)),
  )
  yield* Effect.forkScoped(Effect.forever(step))
  return (one: KeptOut) => Queue.offer(waiting, one)
})
