/**
 * A program that makes attempts at ports of this machine, so that what they cost can be measured in a process that does
 * nothing else. It prints, for every port, what its attempts came to and by how much they made the process grow.
 */
import { setTimeout } from "node:timers/promises"
import { Effect } from "effect"
import { local, open, said, send } from "./Sending.ts"

const [ports = [], times = 1, timeout_ms = 0] = process.argv.slice(2).map((argument) => JSON.parse(argument))

const collect = () => {
  globalThis.gc?.()
  return process.memoryUsage.rss()
}

/** What keeps the process alive at the moment, other than its own input and output. */
const resources = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout" || name.endsWith("Wrap"))

const round = (port: number) =>
  Effect.gen(function* () {
    const before = collect()
    let most = before
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5)
    const answers = yield* Effect.replicateEffect(send(local({ port })), times, { concurrency: times })
    clearInterval(timer)
    return { said: [...new Set(answers.map(said))], grown: Math.max(most, process.memoryUsage.rss()) - before }
  })

const attempts = Effect.gen(function* () {
  yield* Effect.promise(() => setTimeout(1))
  const before = resources()
  const rounds = yield* Effect.forEach(ports as ReadonlyArray<number>, round, { concurrency: times === 1 ? 100 : 1 })
  // A socket takes a turn or two of the event loop to close; a deadline that was forgotten takes its time.
  const end_at = performance.now() + timeout_ms / 2
  while (resources().length > before.length && performance.now() < end_at) yield* Effect.promise(() => setTimeout(20))
  return { rounds, before, after: resources() }
})

const result = await Effect.runPromise(Effect.provide(attempts, open({ timeout_ms })))
process.stdout.write(JSON.stringify(result))
