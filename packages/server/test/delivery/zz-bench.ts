import { fork } from "node:child_process"
import { createServer } from "node:http"
import { Deliveries, Handoff, type Job } from "@tc/store"
import { Secret } from "@tc/webhooks"
import { Effect, Layer, Context } from "effect"
import { Attempts } from "../../src/Attempts.ts"
import { defaults, DeliverySettings } from "../../src/DeliverySettings.ts"
import * as Dispatcher from "../../src/Dispatcher.ts"
import { Mailbox } from "../../src/Mailbox.ts"
import * as UndiciSender from "../../src/node/UndiciSender.ts"
import { SecretBox } from "../../src/SecretBox.ts"

if (process.argv[2] === "server") {
  createServer((req, res) => {
    req.resume()
    req.on("end", () => res.end())
  }).listen(0, "127.0.0.1", function (this: any) {
    process.send!(this.address().port)
  })
} else {
  const child = fork(import.meta.filename, ["server"])
  const port: number = await new Promise((resolve) => child.once("message", resolve as any))
  const N = Number(process.argv[2] ?? 50000)
  const WINDOW = 1000
  let settled = 0,
    batches = 0
  let resume: (() => void) | undefined
  const queue = Layer.succeed(Deliveries, {
    claim: () => Effect.succeed({ jobs: [], next_due_at: null }),
    settle: (s: any) =>
      Effect.sync(() => {
        settled += s.length
        batches++
        const f = resume
        resume = undefined
        f?.()
        return s.map(() => true)
      }).pipe(Effect.tap(Effect.promise(() => new Promise((r) => setTimeout(r, 1))))),
    release: () => Effect.void,
    stats: Effect.succeed({ due: 0, oldest_due_at: null }),
  } as any)
  const box = Layer.succeed(SecretBox, { encrypt: Effect.succeed, decrypt: Effect.succeed } as any)
  const settings = Layer.succeed(DeliverySettings, { ...defaults, allow_private: true, per_endpoint: 64 })
  const tail = `"event":"asset.created","data":"${"x".repeat(1000)}"}`
  const secrets = Array.from({ length: 5 }, () => Secret.make())
  const program = Effect.gen(function* () {
    const handoff = yield* Handoff
    const ids = Array.from({ length: N }, () => crypto.randomUUID())
    const feed = async (from: number, to: number) => {
      for (let i = from; i < to; i += 10) {
        while (i - from - (settled - base) > WINDOW)
          await new Promise<void>((r) => {
            resume = r
          })
        const lease = handoff.lease(Date.now())
        if (lease === null) {
          await new Promise((r) => setTimeout(r, 1))
          i -= 10
          continue
        }
        handoff.offer(
          Array.from(
            { length: 10 },
            (_, k) =>
              ({
                account_id: "a",
                id: ids[i + k]!,
                endpoint_id: "e" + (k % 5),
                event: "asset.created",
                tail,
                url: `http://127.0.0.1:${port}/hook${k % 5}`,
                secret: secrets[k % 5]!,
                attempt: 1,
                ...lease,
              }) as any as Job,
          ),
        )
      }
      while (settled - base < to - from) await new Promise((r) => setTimeout(r, 1))
    }
    let base = 0
    yield* Effect.promise(() => feed(0, 5000))
    for (let round = 0; round < 3; round++) {
      base = settled
      const b = batches
      const cpu = process.cpuUsage(),
        t = performance.now()
      yield* Effect.promise(() => feed(0, N))
      const used = process.cpuUsage(cpu),
        ms = performance.now() - t
      console.log(
        `${Math.round((N / ms) * 1000)}/s, ${((used.user + used.system) / N).toFixed(1)} us CPU each, ${(N / (batches - b)).toFixed(1)} a batch, rss ${Math.round(process.memoryUsage().rss / 1e6)}`,
      )
    }
  })
  const layer = Dispatcher.layer.pipe(
    Layer.provide(Attempts.layer),
    Layer.provide([UndiciSender.layer(), box]),
    Layer.provide(queue),
    Layer.provideMerge(Mailbox.layer),
    Layer.provide(settings),
  )
  await Effect.runPromise(Effect.provide(program, layer) as any)
  child.kill()
}
