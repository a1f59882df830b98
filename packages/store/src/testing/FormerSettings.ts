/** That it is known what attempts were sent with, whatever their endpoint was changed to since. */
import { assert } from "@effect/vitest"
import { type Errors, Limits, WebhookEndpoint } from "@tc/domain"
import { Effect } from "effect"
import type { Accounts } from "../Accounts.ts"
import { Deliveries, type Job, type Outcome } from "../Deliveries.ts"
import { type Assets, WebhookEndpoints } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import * as Queue from "./Queue.ts"

type Endpoint = WebhookEndpoint.WebhookEndpoint
/** What an attempt may be known to have been sent with. */
type Settings = Pick<Endpoint, "url" | "secret">

const settingsOf = ({ url, secret }: Settings): Settings => ({ url, secret })

/** Makes an attempt that begins so many milliseconds from now, before it when negative. */
export const attempted: (job: Job, outcome?: Outcome, after_ms?: number) => Effect.Effect<void, never, Deliveries> =
  Effect.fnUntraced(function* (job, outcome = "succeeded", after_ms = 0) {
    const attempt = Queue.attempt(job, { started_at: yield* Queue.at(after_ms) })
    yield* (yield* Deliveries).settle([{ job, attempt, outcome }], Queue.streak)
  })

type Changed = Effect.Effect<Endpoint, Errors.NotFound | Errors.Conflict | Errors.Invalid, WebhookEndpoints>

/** Sends requests elsewhere from now on. The same in each run, as secrets here are: so that no two settings look alike by chance. */
export const moved = ({ account_id, id }: Endpoint, nth = 0): Changed =>
  Effect.tap(Fixture.patchEndpoint(account_id, id, { url: `https://moved-${nth}.example/` }), Fixture.later)

const movedOften = (endpoint: Endpoint, times: number) =>
  Effect.forEach(
    Array.from({ length: times }, (_, nth) => nth),
    (nth) => moved(endpoint, nth),
  )

const rotated = ({ account_id, id }: Endpoint, to: string, overlap_seconds = 0): Changed =>
  Effect.flatMap(WebhookEndpoints, ({ modify }) =>
    modify(account_id, id, WebhookEndpoint.rotate(to, overlap_seconds)),
  ).pipe(Effect.tap(Fixture.later))

/** What each attempt of a delivery was sent with. */
export const sentWith = ({
  account_id,
  id,
}: Pick<Job, "account_id" | "id">): Effect.Effect<ReadonlyArray<Settings | null> | null, Errors.NotFound, Deliveries> =>
  Effect.flatMap(Deliveries, (deliveries) =>
    Effect.map(deliveries.sentWith(account_id, id), (sent) => sent?.attempts ?? null),
  )

/** An endpoint, and a delivery to it that a worker holds. */
export const begin: Effect.Effect<
  { readonly endpoint: Endpoint; readonly job: Job },
  Errors.Conflict | Errors.Invalid,
  Accounts | Assets | Deliveries | WebhookEndpoints
> = Effect.gen(function* () {
  yield* Queue.clear
  const account_id = yield* Fixture.account
  const endpoint = yield* Fixture.endpoint(account_id, {}, "sealed")
  yield* Queue.raise(account_id, 1)
  const [job] = yield* Queue.claim()
  return { endpoint, job: job! }
})

const known = (it: Tests): void => {
  it.effect("each attempt of a delivery was sent with what its endpoint was at the time, its old secrets too", () =>
    Effect.gen(function* () {
      const { endpoint, job } = yield* begin
      const all = [settingsOf(endpoint)]
      yield* attempted(job, { retry_at: yield* Queue.at(-1) })
      for (const change of [
        moved(endpoint),
        rotated(endpoint, "second"),
        rotated(endpoint, "third", 60),
        rotated(endpoint, "fourth", 60),
      ]) {
        all.push(settingsOf(yield* change))
        const [again] = yield* Queue.claim()
        yield* attempted(again!, { retry_at: yield* Queue.at(-1) })
      }
      assert.deepStrictEqual(yield* (yield* Deliveries).sentWith(job.account_id, job.id), {
        present: all.at(-1)!,
        attempts: all,
      })
      const { attempts } = yield* (yield* Deliveries).get(job.account_id, job.id)
      assert.deepStrictEqual(Object.keys(attempts[0]!), Object.keys(Queue.attempt(job)))
    }),
  )

  it.effect("one that began after a change with what was claimed before it was sent with that", () =>
    Effect.gen(function* () {
      const { endpoint, job } = yield* begin
      yield* movedOften(endpoint, 2)
      yield* attempted(job)
      assert.deepStrictEqual(yield* sentWith(job), [settingsOf(endpoint)])
    }),
  )

  it.effect("one of a process whose clock is behind was sent with what that process knew", () =>
    Effect.gen(function* () {
      const { endpoint, job } = yield* begin
      yield* (yield* Deliveries).release([job])
      const after = yield* moved(endpoint)
      const [again] = yield* Queue.claim()
      yield* attempted(again!, "succeeded", -10_000)
      assert.deepStrictEqual(yield* sentWith(job), [settingsOf(after)])
    }),
  )

  it.effect("other changes forget nothing", () =>
    Effect.gen(function* () {
      const { endpoint, job } = yield* begin
      yield* attempted(job)
      yield* moved(endpoint)
      const times = Array.from({ length: Limits.FORMER_SETTINGS_MAX }, (_, nth) => nth)
      for (const nth of times) yield* Fixture.patchEndpoint(endpoint.account_id, endpoint.id, { description: `${nth}` })
      assert.deepStrictEqual(yield* sentWith(job), [settingsOf(endpoint)])
    }),
  )

  it.effect("nothing was sent of a delivery that was not attempted", () =>
    Effect.gen(function* () {
      const { job } = yield* begin
      assert.deepStrictEqual(yield* sentWith(job), [])
    }),
  )
}

const forgotten = (it: Tests): void => {
  it.effect("as many changes are known as may be, and the oldest are forgotten", () =>
    Effect.gen(function* () {
      const { endpoint, job } = yield* begin
      yield* attempted(job)
      yield* movedOften(endpoint, Limits.FORMER_SETTINGS_MAX)
      assert.deepStrictEqual(yield* sentWith(job), [settingsOf(endpoint)])
      yield* moved(endpoint)
      assert.deepStrictEqual(yield* sentWith(job), [null])
    }),
  )

  it.effect("the changes of one endpoint forget none of another", () =>
    Effect.gen(function* () {
      const { endpoint, job } = yield* begin
      yield* attempted(job)
      yield* moved(endpoint)
      const other = yield* Fixture.endpoint(endpoint.account_id)
      yield* movedOften(other, Limits.FORMER_SETTINGS_MAX + 1)
      assert.deepStrictEqual(yield* sentWith(job), [settingsOf(endpoint)])
    }),
  )

  it.effect("what an endpoint was goes with it, also where another is made under its id", () =>
    Effect.gen(function* () {
      const { endpoint, job } = yield* begin
      yield* attempted(job)
      yield* moved(endpoint)
      yield* (yield* WebhookEndpoints).delete(endpoint.account_id, endpoint.id)
      assert.isNull(yield* sentWith(job))
      yield* Fixture.endpoint(endpoint.account_id, { id: endpoint.id })
      assert.deepStrictEqual(yield* sentWith(job), [null])
    }),
  )

  it.effect("a change that fails leaves what was as it was", () =>
    Effect.gen(function* () {
      const { endpoint, job } = yield* begin
      yield* attempted(job)
      const rotate = rotated(endpoint, "another", 60)
      yield* Effect.replicateEffect(rotate, Limits.SIGNING_SECRETS_MAX - 1)
      assert.strictEqual((yield* Effect.flip(rotate))._tag, "Conflict")
      assert.deepStrictEqual(yield* sentWith(job), [settingsOf(endpoint)])
    }),
  )

  it.effect("a delivery of another account is not found", () =>
    Effect.gen(function* () {
      const { job } = yield* begin
      yield* attempted(job)
      const account_id = yield* Fixture.account
      assert.strictEqual((yield* Effect.flip(sentWith({ ...job, account_id })))._tag, "NotFound")
    }),
  )
}

export const tests = (it: Tests): void => {
  known(it)
  forgotten(it)
}

export const suite: Suite = suiteOf("Former settings", tests)
