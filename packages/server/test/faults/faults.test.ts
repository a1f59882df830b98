/** What happens to processes and to PostgreSQL, and what must be true afterwards. All begin at once: most of it is waiting. */
import { afterAll, describe, vi } from "vitest"
import * as Receiver from "../blackbox/Receiver.ts"
import { corrected, disagreeing } from "./Clocks.ts"
import { crowd } from "./Crowd.ts"
import { filling } from "./Filling.ts"
import { freezing } from "./Freezing.ts"
import { killing } from "./Killing.ts"
import { leaving } from "./Leaving.ts"
import { ordeal } from "./Ordeal.ts"
import { silencing } from "./Silencing.ts"

// The first test that asks waits for its whole scenario, beside all the others.
vi.setConfig({ testTimeout: 900_000 })

const receiver = await Receiver.listen()
afterAll(receiver.close)
// What takes longest begins first.
const silent = ordeal(receiver, "freeze")
const crowded = crowd(receiver)
const worker = killing("worker", receiver)
const both = killing("all", receiver)
const frozen = freezing(receiver)
const troubled = ordeal(receiver, "kills", "restart", "crash", "crowd")
const several = disagreeing(receiver)
const left = leaving(receiver)
const unheard = silencing(receiver)
const full = filling(receiver)
const alone = corrected(receiver)

describe("a worker that is killed", () => {
  worker()
})
describe("a process that is killed with what was born in its hands", () => {
  both()
})
describe("a process that is frozen for longer than its leases last", () => {
  frozen()
})
describe("processes that are asked to end under load", () => {
  left()
})
describe("a process that is asked to end while its database is silent", () => {
  unheard()
})
describe("a worker whose clock is set back by ten minutes", () => {
  alone()
})
describe("processes whose clocks disagree by ten minutes, and are set back and forward", () => {
  several()
})
describe("a database whose disk is full", () => {
  full()
})
describe("a database that is cut off, restarted, crashes and runs out of connections", () => {
  troubled()
})
describe("a database that is frozen", () => {
  silent()
})
describe("workers that join, leave and die at random", () => {
  crowded()
})
