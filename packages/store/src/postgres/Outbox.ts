/** Writes changes with the events they raise and their deliveries, all in one statement, and hands the deliveries over. */
import { type Errors, Event, type Id, type Resource } from "@tc/domain"
import { Clock, Context, Effect, Exit, Layer, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { Handoff } from "../Handoff.ts"
import * as Ids from "../Ids.ts"
import * as Batcher from "./Batcher.ts"
import * as Columns from "./Columns.ts"
import * as Failure from "./Failure.ts"
import { Notices } from "./Notices.ts"
import * as Raising from "./Raising.ts"
import * as Sizes from "../Sizes.ts"
import type { Statement, Table } from "./Table.ts"

/** New rows that one statement takes at most, and the characters of their events. */
const BATCH: Batcher.Size = { items: 100, weight: 1024 * 1024 }
/** New rows of one table that wait at most: beyond it a database that is slow would fill the memory of this process. */
const QUEUE: Batcher.Size = { items: 10_000, weight: 64 * 1024 * 1024 }
/** Statements that insert into one table at once, for one process. */
const LANES = 2
/** Milliseconds after which one begins beside another though it is not full: several times what a statement takes. */
const PATIENCE_MS = 25

/** A new row, and what it tells. */
interface Insert {
  readonly values: ReadonlyArray<unknown>
  readonly told: ReadonlyArray<Raising.Told>
}

/** Commits what was decided. Alone it is one statement and one transaction; inside a transaction it is part of that. */
export class Outbox extends Context.Service<
  Outbox,
  {
    readonly commit: (
      account_id: Id.AccountId,
      write: Statement | null,
      events: ReadonlyArray<Resource.Raised>,
    ) => Effect.Effect<void, SqlError.SqlError>
    /** How rows get into a table. Those that arrive together, and are no part of a transaction, are committed together. */
    readonly inserting: <R extends Resource.Any>(
      table: Table<R>,
    ) => (
      account_id: Id.AccountId,
      values: ReadonlyArray<unknown>,
      events: ReadonlyArray<Resource.Raised>,
    ) => Effect.Effect<void, SqlError.SqlError>
    /** An event without a write of ours. Those that arrive together are committed together likewise. */
    readonly emit: (
      account_id: Id.AccountId,
      event: Resource.Raised,
    ) => Effect.Effect<Id.EventId, SqlError.SqlError | Errors.Invalid>
  }
>()("@tc/store/postgres/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const handoff = yield* Handoff
      const notices = yield* Notices
      const nextId = Ids.make()
      const fork = Effect.runForkWith(yield* Effect.context())

      const tell = (account_id: Id.AccountId, events: ReadonlyArray<Resource.Raised>) =>
        Effect.map(Clock.currentTimeMillis, (millis): ReadonlyArray<Raising.Told> => {
          const occurred_at = new Date(millis).toISOString()
          return events.map((raised) => ({
            account_id,
            id: nextId(millis),
            event: raised.event,
            tail: Event.tail(raised, account_id, occurred_at),
          }))
        })

      /** One statement: the write, its events, their deliveries. Inside a transaction the hand-over waits for its commit. */
      const run = Effect.fnUntraced(function* (write: Statement | null, told: ReadonlyArray<Raising.Told>) {
        if (told.length === 0) {
          if (write !== null) yield* sql.unsafe(write.text, write.params)
          return
        }
        const millis = yield* Clock.currentTimeMillis
        const lease = handoff.lease(millis)
        const statement = Raising.statement(write, told, millis, handoff, lease)
        const born = yield* sql.unsafe<Raising.Born>(statement.text, statement.params)
        if (born.length === 0) return
        const hand = () => {
          if (lease !== null) handoff.offer(Raising.jobs(born, told, lease))
          if (lease === null || born.some(({ waits }) => waits)) notices.wake()
        }
        yield* sql.afterCommit(Effect.sync(hand))
      })

      /** Commits items one by one, or together those that arrive together; in a transaction each is part of that. */
      const group = <Item extends { readonly told: ReadonlyArray<Raising.Told> }>(
        alone: (item: Item) => Effect.Effect<void, SqlError.SqlError>,
        together: (items: ReadonlyArray<Item>) => Effect.Effect<void, SqlError.SqlError>,
      ) => {
        const batched = Batcher.make<Item, SqlError.SqlError>({
          fork,
          lanes: LANES,
          patience_ms: PATIENCE_MS,
          batch: BATCH,
          queue: QUEUE,
          weigh: ({ told }) => told.reduce((sum, { tail }) => sum + tail.length, 0),
          write: (items) => {
            const each = Effect.forEach(items, (item) => Effect.exit(alone(item)))
            if (items.length === 1) return each
            return Effect.matchEffect(together(items), {
              onSuccess: () => Effect.succeed(items.map(() => Exit.void)),
              // A bad row fails them all: then each goes alone, and only the bad one is refused. After any other failure
              // it is not even known whether they were written.
              onFailure: (error) => (Failure.isOfRow(error) ? each : Effect.succeed(items.map(() => Exit.fail(error)))),
            })
          },
        })
        return (item: Item) =>
          Effect.flatMap(Effect.serviceOption(sql.transactionService), (transaction) =>
            Option.isSome(transaction) ? alone(item) : batched(item),
          )
      }

      const inserting = <R extends Resource.Any>(table: Table<R>) => {
        const types = Columns.typesOf(sql, table.table)
        const insert = group<Insert>(
          ({ values, told }) => run(table.insert(values), told),
          (inserts) =>
            Effect.flatMap(types, (types) =>
              run(
                table.insertAll(
                  inserts.map(({ values }) => values),
                  types,
                ),
                inserts.flatMap(({ told }) => told),
              ),
            ),
        )
        return (account_id: Id.AccountId, values: ReadonlyArray<unknown>, events: ReadonlyArray<Resource.Raised>) =>
          Effect.flatMap(tell(account_id, events), (told) => insert({ values, told }))
      }

      const keep = group<{ readonly told: ReadonlyArray<Raising.Told> }>(
        ({ told }) => run(null, told),
        (items) =>
          run(
            null,
            items.flatMap(({ told }) => told),
          ),
      )

      return {
        commit: (account_id, write, events) => Effect.flatMap(tell(account_id, events), (told) => run(write, told)),
        inserting,
        emit: (account_id, event) =>
          Effect.flatMap(tell(account_id, [event]), (told) =>
            Effect.flatMap(Effect.fromResult(Sizes.fitsEvent(told[0]!.tail)), () =>
              Effect.as(keep({ told }), told[0]!.id as Id.EventId),
            ),
          ),
      }
    }),
  ).pipe(Layer.provideMerge(Notices.layer))
}
