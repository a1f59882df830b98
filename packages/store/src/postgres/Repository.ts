/** Any resource in PostgreSQL: rows in a table of its name, every change and what it tells in one transaction. */
import { Errors, type Id, Limits, Page, Resource, Value } from "@tc/domain"
import { Clock, Effect, Result } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Changes from "../Changes.ts"
import * as Ids from "../Ids.ts"
import * as Relations from "../Relations.ts"
import type { Begun } from "../Repositories.ts"
import type { ListRequest, Repository } from "../Repository.ts"
import * as Sizes from "../Sizes.ts"
import * as Failure from "./Failure.ts"
import { Outbox } from "./Outbox.ts"
import * as Query from "./Query.ts"
import * as Removal from "./Removal.ts"
import * as Table from "./Table.ts"

/** What else must happen in the transaction that changes or (null) removes a row. */
export type Follow<R extends Resource.Any> = (
  before: Resource.RowOf<R>,
  after: Resource.RowOf<R> | null,
  now: string,
) => Effect.Effect<unknown, SqlError.SqlError>

type Columns = { readonly [column: string]: unknown }

/** A row whose columns are looked up by name. */
const columnsOf = (row: object) => row as Columns

export const make = <R extends Resource.Any>(
  resource: R,
  begun: Begun<R> = Changes.created(resource),
  follow: Follow<R> = () => Effect.void,
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const outbox = yield* Outbox
    const table = Table.make(resource)
    const insert = outbox.inserting(table)
    const remove = yield* Removal.make
    const nextId = Ids.make()
    const needs = { copies: Relations.copying(resource), position: resource.position_within }
    const simple = needs.copies.length === 0 && needs.position === undefined
    type Row = Resource.RowOf<R>

    const select = (account_id: string, id: string, lock: string) =>
      Effect.flatMap(
        sql.unsafe<object>(`SELECT ${table.columns} FROM ${table.table} WHERE account_id = $1 AND id = $2${lock}`, [
          account_id,
          id,
        ]),
        ([row]) => (row === undefined ? Errors.notFound(resource.name, id) : Effect.succeed(table.decode(row))),
      )

    /** A write as one transaction that refuses, runs again after a collision, or dies. */
    const writing = <A, E>(effect: Effect.Effect<A, E | SqlError.SqlError>) =>
      effect.pipe(
        Failure.again,
        Effect.catchTag("SqlError", (error) => Failure.refusal(resource, error as SqlError.SqlError)),
        Failure.orDie,
      )

    /** The columns that a row takes over from the records its new references lead to, which are locked until the commit. */
    const taken = Effect.fnUntraced(function* (account_id: string, row: Columns, before?: Columns) {
      const found: { [column: string]: unknown } = {}
      for (const { field, to, name, copies } of needs.copies) {
        const id = row[field]
        if (id === before?.[field]) continue
        const [parent] = yield* sql.unsafe<{ readonly [column: string]: unknown }>(
          `SELECT ${copies.map((column) => `"${column}"`).join(", ")} FROM tc.${to} WHERE account_id = $1 AND id = $2 FOR KEY SHARE`,
          [account_id, id],
        )
        if (parent === undefined) return yield* Errors.missingReference(field, name)
        Object.assign(found, parent)
      }
      return found
    })

    /** What the storage has to find for a new row. The parent is locked while the next position in it is looked up. */
    const found = Effect.fnUntraced(function* (account_id: string, input: Columns) {
      const columns = yield* taken(account_id, input)
      if (needs.position === undefined || input["position"] !== null) return columns
      const within = needs.position
      const { to } = resource.references![within]!
      yield* sql.unsafe(`SELECT 1 FROM tc.${to} WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE`, [
        account_id,
        input[within],
      ])
      const [row] = yield* sql.unsafe<{ readonly position: number }>(
        `SELECT least(coalesce(max(position), 0) + 1, ${Limits.POSITION_MAX}) AS position FROM ${table.table} WHERE account_id = $1 AND "${within}" = $2`,
        [account_id, input[within]],
      )
      return { ...columns, position: row!.position }
    })

    const nothing = Effect.succeed({})
    const create = (account_id: Id.AccountId, input: Resource.New<R>) =>
      Effect.flatMap(simple ? nothing : found(account_id, columnsOf(input)), (extra) =>
        Effect.flatMap(Clock.currentTimeMillis, (millis) => {
          const id = (input as { readonly id?: string }).id ?? nextId(millis)
          const now = Value.timestamp(millis)
          const { row, events } = begun(Resource.begin(resource, input, { id, account_id, now, found: extra }))
          const values = table.values(row)
          return Effect.andThen(
            Effect.fromResult(Sizes.fits(row, values)),
            Effect.as(insert(account_id, values, events), row),
          )
        }),
      )

    const modify = Effect.fnUntraced(function* <E>(
      account_id: Id.AccountId,
      id: string,
      decide: (row: Row, now: string) => Result.Result<Resource.Change<Row>, E>,
    ) {
      const row = yield* select(account_id, id, " FOR UPDATE")
      const now = new Date(yield* Clock.currentTimeMillis).toISOString()
      const change = yield* Effect.fromResult(decide(row, now))
      if (change.row === row) return row
      const columns = simple ? {} : yield* taken(account_id, columnsOf(change.row), columnsOf(row))
      const next = Relations.adopt(change, row, columns)
      yield* Effect.fromResult(Sizes.fits(next.row))
      yield* outbox.commit(account_id, table.update(next.row), next.events)
      yield* follow(row, next.row, now)
      return next.row
    })

    const page = <A>(view: Table.View<A>, account_id: Id.AccountId, request: ListRequest) =>
      Effect.map(Query.page(sql, resource, view, account_id, request), ({ rows, total }) =>
        Page.make(request, rows, total),
      )

    const repository: Repository<R> = {
      list: (account_id, request) => page(table.whole, account_id, request).pipe(Failure.orDie),
      // What is not sized is never too large.
      summaries: (account_id, request) =>
        page(table.summary, account_id, request).pipe(
          Effect.catchTag("Invalid", (error) => Effect.die(error)),
          Failure.orDie,
        ),
      get: (account_id, id) => select(account_id, id, "").pipe(Failure.orDie),
      create: (account_id, input) => {
        const effect = create(account_id, input)
        return writing(simple ? effect : sql.withTransaction(effect))
      },
      modify: (account_id, id, decide) => writing(sql.withTransaction(modify(account_id, id, decide))),
      delete: <E>(account_id: Id.AccountId, id: string, guard?: (row: Row) => Result.Result<void, E>) =>
        Effect.gen(function* () {
          const row = yield* select(account_id, id, " FOR UPDATE")
          if (guard !== undefined) yield* Effect.fromResult(guard(row))
          yield* remove(resource, account_id, [row])
          yield* follow(row, null, new Date(yield* Clock.currentTimeMillis).toISOString())
        }).pipe(sql.withTransaction, Failure.again, Failure.orDie) as Effect.Effect<void, Errors.NotFound | E>,
    }
    return repository
  })
