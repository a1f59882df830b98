/** Any resource in memory: every change and what it tells in one step. */
import { Errors, type Id, Resource, Value } from "@tc/domain"
import { Effect, Result } from "effect"
import * as Changes from "../Changes.ts"
import * as Refusals from "../Refusals.ts"
import * as Relations from "../Relations.ts"
import type { Begun } from "../Repositories.ts"
import type { Repository } from "../Repository.ts"
import * as Sizes from "../Sizes.ts"
import { copy } from "./Copy.ts"
import { Memory } from "./Memory.ts"
import * as Outbox from "./Outbox.ts"
import * as Query from "./Query.ts"
import * as References from "./References.ts"
import { remove } from "./Removal.ts"

/** What else must happen in the step that changes or (null) removes a row. */
export type Follow<R extends Resource.Any> = (
  memory: Memory["Service"],
  before: Resource.RowOf<R>,
  after: Resource.RowOf<R> | null,
  now: string,
) => void

export const make = <R extends Resource.Any>(
  resource: R,
  begun: Begun<R> = Changes.created(resource),
  follow: Follow<R> = () => {},
): Effect.Effect<Repository<R>, never, Memory> => Effect.map(Memory, (memory) => over(memory, resource, begun, follow))

const over = <R extends Resource.Any>(
  memory: Memory["Service"],
  resource: R,
  begun: Begun<R>,
  follow: Follow<R>,
): Repository<R> => {
  type Row = Resource.RowOf<R>
  const { step } = memory
  const rowsOf = (account_id: Id.AccountId) => memory.records(resource, account_id)
  const find = (account_id: Id.AccountId, id: string) =>
    Result.fromNullishOr(rowsOf(account_id).get(id), () => Errors.notFound(resource.name, id))

  /** Checks what is to be kept against the other rows, then keeps it with what it tells. */
  const keep = (account_id: Id.AccountId, { row, events }: Resource.Change<Row>, millis: number) =>
    Result.map(Result.andThen(References.free(resource, rowsOf(account_id).values(), row), Sizes.fits(row)), () => {
      const kept = copy(row)
      Outbox.commit(memory, account_id, events, millis)
      rowsOf(account_id).set(kept.id, kept)
      return kept
    })

  return {
    list: (account_id, request) =>
      step(() => {
        const page = Query.list(resource, rowsOf(account_id).values(), request)
        const texts = page.data.map((row) => JSON.stringify(row))
        return Sizes.page(page, texts, request.max_bytes)
      }),
    summaries: (account_id, request) =>
      step(() => {
        const { data, meta } = Query.list(resource, rowsOf(account_id).values(), request)
        return Result.succeed({ data: data.map((row) => Resource.summarize(resource, row)), meta })
      }),
    get: (account_id, id) => step(() => find(account_id, id)),
    create: (account_id, input) =>
      step((millis) => {
        const id = (input as { readonly id?: string }).id ?? memory.nextId(millis)
        if (rowsOf(account_id).has(id)) return Result.fail(Refusals.idTaken(resource))
        return Result.flatMap(References.taken(memory, resource, account_id, input), (columns) => {
          const found = { ...columns, ...References.position(resource, rowsOf(account_id).values(), input) }
          const by = { id, account_id, now: Value.timestamp(millis), found }
          return keep(account_id, begun(Resource.begin(resource, input, by)), millis)
        })
      }),
    modify: (account_id, id, decide) =>
      step((millis) =>
        Result.gen(function* () {
          const before = yield* find(account_id, id)
          const row = copy(before)
          const change = yield* decide(row, Value.timestamp(millis))
          if (change.row === row) return row
          const columns = yield* References.taken(memory, resource, account_id, change.row, row)
          const after = yield* keep(account_id, Relations.adopt(change, before, columns), millis)
          References.spread(memory, resource, after)
          follow(memory, before, after, Value.timestamp(millis))
          return after
        }),
      ),
    delete: (account_id, id, guard = () => Result.void) =>
      step((millis) =>
        Result.gen(function* () {
          const row = yield* find(account_id, id)
          yield* guard(row)
          Outbox.commit(memory, account_id, remove(memory, resource, row), millis)
          follow(memory, row, null, Value.timestamp(millis))
        }),
      ),
  }
}
