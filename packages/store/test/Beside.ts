/** Two transactions at once. */
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"

/** Does something while a transaction that has done something else is open. */
export const beside = <A, B, E, F, R, S>(first: Effect.Effect<A, E, R>, work: Effect.Effect<B, F, S>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [begun, over] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const transaction = yield* first.pipe(
      Effect.andThen(Deferred.succeed(begun, undefined)),
      Effect.andThen(Deferred.await(over)),
      sql.withTransaction,
      Effect.forkChild,
    )
    yield* Deferred.await(begun)
    const answer = yield* Effect.ensuring(work, Deferred.succeed(over, undefined))
    yield* Fiber.join(transaction)
    return answer
  })
