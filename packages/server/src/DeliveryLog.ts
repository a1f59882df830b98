/** What the log tells of deliveries: which one it is about, and never its payload nor its secret. */
import type { Endpoint, Settlement, Written } from "@tc/store"
import { Streak } from "@tc/webhooks"
import { type Cause, Context, Effect, LogLevel, References } from "effect"
import type { UnreadableSecret } from "./Attempts.ts"
import type { Held } from "./Lease.ts"
import * as Outcome from "./Outcome.ts"
import type { Answer } from "./Sender.ts"

type Job = Settlement["job"]

const about = ({ account_id, endpoint_id, id }: Job) =>
  Effect.annotateLogs({ account_id, endpoint_id, delivery_id: id })

/** Writes to the log without being waited for. */
export const make = (context: Context.Context<never>) => {
  const run = Effect.runForkWith(context)
  const tell = (job: Job, message: Effect.Effect<void>): void => void run(message.pipe(about(job)))
  const tellOf = ({ account_id, endpoint_id }: Endpoint, message: Effect.Effect<void>): void =>
    void run(Effect.annotateLogs(message, { account_id, endpoint_id }))
  const isVerbose = !LogLevel.isGreaterThan(Context.get(context, References.MinimumLogLevel), "Debug")
  return {
    /** The attempt, with a line about how it ended where the log wants to know. */
    traced: (job: Held, attempt: Effect.Effect<Answer, UnreadableSecret>): Effect.Effect<Answer, UnreadableSecret> =>
      isVerbose
        ? Effect.tap(attempt, (answer) =>
            Effect.logDebug("an attempt was made").pipe(
              Effect.annotateLogs({ event: job.event, attempt: job.attempt, ending: Outcome.ending(answer) }),
              about(job),
            ),
          )
        : attempt,
    settled: ({ attempt, job, outcome }: Settlement, written: Written | null, disable_after: number): void => {
      if (written === null) return tell(job, Effect.logDebug("a result was not taken, its lease was over"))
      if (outcome !== "exhausted" && outcome !== "gone") return
      const { error, number, status_code } = attempt
      const { disabled, failures } = written
      const latest = Effect.annotateLogs({ attempt: number, ending: error ?? status_code })
      const streak = Effect.annotateLogs({ consecutive_failures: failures, disable_after })
      const text =
        outcome === "gone"
          ? "an endpoint answered 410, its delivery is not attempted again"
          : "a delivery has used all its attempts"
      tell(job, latest(Effect.logWarning(text)))
      if (disabled) tell(job, latest(streak(Effect.logWarning("an endpoint was disabled, for its deliveries fail"))))
      else if (Streak.warns(failures, disable_after))
        tell(job, latest(streak(Effect.logWarning("an endpoint will be disabled if more of its deliveries fail"))))
    },
    unreadable: (job: Job, cause: Cause.Cause<UnreadableSecret>): void =>
      tell(
        job,
        Effect.logError(
          "the secret of an endpoint cannot be decrypted, its deliveries wait; is TC_SECRET_KEY the key that it was stored under?",
          cause,
        ),
      ),
    opened: (endpoint: Endpoint): void =>
      tellOf(
        endpoint,
        Effect.logWarning("an endpoint does not answer; its deliveries wait, and it is tried now and then"),
      ),
    closed: (endpoint: Endpoint): void => tellOf(endpoint, Effect.logInfo("an endpoint answers again")),
    failed: (job: Job, cause: Cause.Cause<unknown>): void =>
      tell(job, Effect.logError("no attempt could be made", cause)),
  }
}
