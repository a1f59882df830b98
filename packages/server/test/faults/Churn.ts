/** Workers that join, leave, die and freeze at random. */
import type { Server } from "../blackbox/Server.ts"
import { pause } from "../blackbox/Until.ts"
import type * as Random from "./Random.ts"
import * as Fleet from "./Fleet.ts"

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

/** Lets members come and go until it is over. */
export const churn = async (
  fleet: Fleet.Fleet,
  lease_ms: number,
  random: Random.Random,
  isOver: () => boolean,
): Promise<Churned> => {
  const join = () => fleet.start(random(2) === 0 ? "worker" : "all")
  const members: Array<Server> = await Promise.all(Array.from({ length: MEMBERS }, join))
  const log: Array<string> = []
  const lost_at: Array<number> = []
  const thaws: Array<Promise<number>> = []
  const freeze = async (member: Server) => {
    member.signal("SIGSTOP")
    await pause(lease_ms + MARGIN_MS)
    member.signal("SIGCONT")
    return members.push(member)
  }
  const codes: Array<number | null> = []
  const step = async (): Promise<void> => {
    await pause(300 + random(1_200))
    if (isOver()) return
    const verb = verbs.at(random(verbs.length)) ?? "join"
    const [member] = verb === "join" || members.length === 0 ? [] : members.splice(random(members.length), 1)
    log.push(verb)
    if (verb === "join" && members.length <= MEMBERS) members.push(await join())
    else if (verb === "leave") codes.push((await member?.stop())?.code ?? 0)
    else if (member !== undefined) {
      lost_at.push(Date.now())
      if (verb === "die") await member.kill()
      else thaws.push(freeze(member))
    }
    return step()
  }
  await step()
  // Somebody has to be there at the end.
  members.push(await join())
  await Promise.all(thaws)
  return { log, lost_at, codes }
}
