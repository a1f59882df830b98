import { assert, it } from "@effect/vitest"
import { AuditLog, Invitations, Sessions, Throttles } from "@tc/store"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { layer } from "../../src/dashboard/Pruning.ts"

const DAY = 86_400_000
const unused = () => Effect.die(new Error("not called"))

it.effect("sessions that are over are removed each hour, also after a time at which that failed", () => {
  const asked: Array<object> = []
  const entries: Array<string> = []
  const sessions = Layer.succeed(Sessions, {
    create: unused,
    find: unused,
    touch: unused,
    end: unused,
    prune: (before) => Effect.suspend(() => (asked.push(before) === 1 ? Effect.die("away") : Effect.succeed(0))),
  })
  const throttles = Layer.succeed(Throttles, { take: unused, prune: Effect.succeed(0) })
  const log = Layer.succeed(AuditLog, {
    append: unused,
    noted: unused,
    list: unused,
    prune: (before) => Effect.sync(() => entries.push(before)),
  })
  const invitations = Layer.succeed(Invitations, {
    create: unused,
    list: unused,
    find: unused,
    accept: unused,
    revoke: unused,
    prune: () => Effect.succeed(0),
  })
  return Effect.gen(function* () {
    yield* TestClock.setTime(500 * DAY)
    yield* Layer.build(Layer.provide(layer, Layer.mergeAll(invitations, log, sessions, throttles)))
    yield* TestClock.adjust("1 hour")
    assert.lengthOf(asked, 2)
    assert.deepStrictEqual(asked[0], {
      created_at: new Date(470 * DAY).toISOString(),
      last_seen_at: new Date(497 * DAY).toISOString(),
    })
    assert.deepStrictEqual(entries, [new Date(100 * DAY + 3_600_000).toISOString()])
  })
})
