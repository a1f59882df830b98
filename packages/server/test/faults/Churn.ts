/** Workers that join, leave, die and freeze at random. */
import type { Server } from "../blackbox/Server.ts"
import { pause } from "../blackbox/Until.ts"
import * as Fleet from "./Fleet.ts"
import type * as Random from "./Random.ts"

/** Workers at the beginning, and about as many later. */
const MEMBERS = 3
const MARGIN_MS = 2_000

export interface Churned {
  /** What happened, in its order. */
  readonly log: ReadonlyArray<string>
  /** When members were lost, for ever or for longer than their leases last. Milliseconds since 1970. */
  readonly lost_at: ReadonlyArray<number>
  /** How those ended that were asked to. */
  readonly codes: ReadonlyArray<number | null>
}

/** What may become of a member; only where there is time for it is one frozen for longer than its leases last. */
const verbs = Fleet.isLong ? ["join", "leave", "die", "freeze"] : ["join", "leave", "die"]

const join = (fleet: Fleet.Fleet, random: Random.Random) => fleet.start(random(2) === 0 ? "worker" : "all")

export const begin = (fleet: Fleet.Fleet, random: Random.Random): Promise<Array<Server>> =>
  Promise.all(Array.from({ length: MEMBERS }, () => join(fleet, random)))

/** Lets members come and go for a time, and until each of it has happened. */
export const churn = async (
  fleet: Fleet.Fleet,
  members: Array<Server>,
  random: Random.Random,
  options: { readonly millis: number; readonly lease_ms: number },
): Promise<Churned> => {
  const end_at = Date.now() + options.millis
  const log: Array<string> = []
  const lost_at: Array<number> = []
  const codes: Array<number | null> = []
  const thaws: Array<Promise<number>> = []
  const freeze = async (member: Server) => {
    member.signal("SIGSTOP")
    await pause(options.lease_ms + MARGIN_MS)
    member.signal("SIGCONT")
    return members.push(member)
  }
  const lose = async (verb: string, member: Server) => {
    lost_at.push(Date.now())
    if (verb === "die") await member.kill()
    else thaws.push(freeze(member))
  }
  const step = async (deck: Array<string>): Promise<void> => {
    await pause(300 + random(1_200))
    if (Date.now() > end_at && log.length >= verbs.length) return
    const [verb = "join"] = deck.splice(random(deck.length), 1)
    log.push(verb)
    if (verb === "join") members.push(await join(fleet, random))
    else {
      const [member = await join(fleet, random)] = members.splice(random(members.length), 1)
      await (verb === "leave" ? member.stop().then(({ code }) => codes.push(code)) : lose(verb, member))
    }
    return step(deck.length > 0 ? deck : [...verbs])
  }
  await step([...verbs])
  // Somebody has to be there at the end.
  members.push(await join(fleet, random))
  await Promise.all(thaws)
  return { log, lost_at, codes }
}
