/** The storage as a whole: whether it answers, and how it fails. */
import { Context, Data, type Effect } from "effect"

/** The storage cannot be reached. It travels as a defect, so that no caller has to name it, and is answered with 503. */
export class Unavailable extends Data.TaggedError("Unavailable")<{ readonly cause: unknown }> {}

export class Storage extends Context.Service<
  Storage,
  {
    /** Succeeds when a request could be served now; dies with `Unavailable` when not. */
    readonly ready: Effect.Effect<void>
  }
>()("@tc/store/Storage") {}
