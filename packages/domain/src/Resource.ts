/**
 * What every resource has in common, said once: its names, its forms, what it refers to, how it is listed, and the
 * events its changes raise. Contract, handlers, storage and catalogue are all derived from this one value.
 */
import { Option, Result, Schema, SchemaGetter } from "effect"
import type { VariantSchema } from "effect/schema"
import type { ConflictCode } from "./Errors.ts"
import type { EventName, Subject, Verb } from "./EventName.ts"
import * as Field from "./Field.ts"
import * as Id from "./Id.ts"
import * as Json from "./Json.ts"
import * as Name from "./Name.ts"
import * as Value from "./Value.ts"

export type { Verb }

/** An event that a change raises: its name in the catalogue and the record it is about. */
export interface Raised {
  readonly event: EventName
  readonly data: { readonly [key: string]: unknown }
}

/** What a decision makes of a row: the row to keep, and what to tell. The same row object back means nothing changed. */
export interface Change<Row> {
  readonly row: Row
  readonly events: ReadonlyArray<Raised>
}

/** A field that names a record of another resource in the same account. */
export interface Reference<Column extends string = string> {
  /** The resource it leads to, by path. */
  readonly to: string
  /** Its singular name, for messages. */
  readonly name: string
  /** Columns taken over from the record it leads to, and kept equal to them. */
  readonly copies?: ReadonlyArray<Column>
}

/** Something about some columns, by name. */
type About<Column extends string, A> = string extends Column
  ? { readonly [column: string]: A }
  : { readonly [C in Column]?: A }

/** What there is to say of a resource beside its fields. `Column` are the names of these, so that no other can be named. */
export interface Options<Column extends string = string> {
  /** Collection in the URL, and table. */
  readonly path: string
  /** The column that `q` searches. */
  readonly search: Column
  readonly references?: About<Column, Reference<Column>>
  /** Columns whose value one account holds once, with the code of the conflict. */
  readonly unique?: About<Column, ConflictCode>
  /** Lists go newest first, or by display position, oldest first among equals. */
  readonly order?: "newest" | "position"
  /** When no position is given, the next among the records with the same value in this column. */
  readonly position_within?: Column
  /** Values that a new record starts with and no caller can send. */
  readonly initial?: About<Column, unknown>
  /** The words before the dot in the names of its events, where they are not its own name. */
  readonly told_as?: ReadonlyArray<string>
  /** The event a change raises, where it is not `<name>.<verb>`; `null` where the catalogue has none. */
  readonly event_of?: (verb: Verb, row: never) => EventName | null
}

const common = {
  account_id: Field.readOnly(Id.AccountId.id),
  created_at: Field.readOnly(Value.Timestamp),
  updated_at: Field.readOnly(Value.Timestamp),
}

/** A row as the generic code sees it: every resource has these. */
export interface AnyRow {
  readonly id: string
  readonly account_id: string
  readonly created_at: string
  readonly updated_at: string
}

/** Where the catalogue does not have every `<name>.<verb>`, `event_of` has to be given. */
type Told<Name extends string> = Name extends Subject ? unknown : Required<Pick<Options, "event_of">>

/** Describes a resource. `id` is its branded id; `fields` come from `Field`. */
export const make = <
  const Name extends string,
  const Brand extends string,
  const Fields extends VariantSchema.Struct.Fields,
  const Path extends string,
>(
  name: Name,
  id: ReturnType<typeof Id.make<Brand>>,
  fields: Fields & VariantSchema.Struct.Validate<Fields, Field.Form>,
  options: Options<keyof Fields & string> & { readonly path: Path } & Told<Name>,
) => {
  const all = { id: idField(id), ...fields, ...common }
  // `Struct` checks its argument against a type that TypeScript cannot compute while Fields is generic; `fields` has passed it.
  const struct = Field.Struct(all as never) as unknown as VariantSchema.Struct<typeof all>
  const row = Field.extract(struct, "row")
  const record = Field.extract(struct, "record")
  const summary = Field.extract(struct, "summary")
  return {
    name,
    // The columns have passed; from here on they are any text.
    ...(options as Options),
    path: options.path,
    id: id.id,
    /** An id as callers may spell it: upper case too. */
    id_input: id.input,
    /** As stored. */
    row,
    /** As REST and webhooks show it. */
    record: record.annotate({ identifier: Name.pascal(name) }),
    /** As a list for people shows it: without what is `apart`. */
    summary: summary.annotate({ identifier: `${Name.pascal(name)}Summary` }),
    /** What a create takes. */
    create: Field.extract(struct, "create").annotate({ identifier: `${Name.pascal(name)}Create` }),
    /** What a PATCH takes. */
    patch: Field.extract(struct, "patch").annotate({ identifier: `${Name.pascal(name)}Patch` }),
    /** What a handler adds to a create: columns that callers cannot send. */
    given: Field.extract(struct, "given"),
    /** The columns of a row, in the order in which its JSON shows them. */
    columns: Object.keys(row.fields),
    /** The keys of a record, in their documented order. */
    shown: Object.keys(record.fields),
    /** The keys of a summary, in the same order. */
    summarized: Object.keys(summary.fields),
  }
}

const idField = <const Brand extends string>(id: ReturnType<typeof Id.make<Brand>>) =>
  Field.Field({
    row: id.id,
    record: id.id,
    summary: id.id,
    // `null` means the same as leaving the id out, as it does for every optional field.
    create: Schema.optionalKey(Schema.NullOr(id.input)).pipe(
      Schema.decodeTo(Schema.optionalKey(Schema.toType(id.id)), {
        decode: SchemaGetter.transformOptional<typeof id.id.Type, typeof id.id.Type | null>(
          Option.flatMap(Option.fromNullOr),
        ),
        encode: SchemaGetter.passthroughSubtype(),
      }),
    ),
  })

/** Any resource; the bound of every generic function over resources. */
export interface Any extends Options {
  readonly name: string
  readonly id: Schema.Codec<string & {}, string>
  readonly row: Field.Plain & { readonly Type: AnyRow }
  readonly record: Field.Plain
  readonly summary: Field.Plain & { readonly Type: object }
  readonly create: Field.Plain & { readonly Type: object }
  readonly patch: Field.Plain & { readonly Type: object }
  readonly given: Field.Plain & { readonly Type: object }
  readonly columns: ReadonlyArray<string>
  readonly shown: ReadonlyArray<string>
  readonly summarized: ReadonlyArray<string>
}

export type RowOf<R extends Any> = R["row"]["Type"]
export type RecordOf<R extends Any> = R["record"]["Type"]
export type SummaryOf<R extends Any> = R["summary"]["Type"]
export type IdOf<R extends Any> = RowOf<R>["id"]

/** What a repository's `create` takes: the decoded payload, and what the handler adds to it. */
export type New<R extends Any> = R["create"]["Type"] & R["given"]["Type"]

/** What a change of `row` tells: its event, with the record as data, if the catalogue has one. */
export const raise = <R extends Any>(resource: R, verb: Verb, row: RowOf<R>): ReadonlyArray<Raised> => {
  const event = resource.event_of === undefined ? byName(resource, verb) : resource.event_of(verb, row as never)
  return event === null ? [] : [{ event, data: show(resource, row) }]
}

/** `make` takes no other name without an `event_of`. */
const byName = ({ name }: Any, verb: Verb) => `${name}.${verb}` as EventName

/** The record of a row: what is hidden left out, keys in their documented order. */
export const show = <R extends Any>(resource: R, row: RowOf<R>): RecordOf<R> & { readonly [key: string]: unknown } =>
  pick(row, resource.shown)

/** The summary of a row. */
export const summarize = <R extends Any>(resource: R, row: RowOf<R>): SummaryOf<R> => pick(row, resource.summarized)

/** Key by key: all that are made with the same keys have one shape, and are written as JSON the sooner. */
const pick = (row: object, keys: ReadonlyArray<string>) => {
  const picked: { [key: string]: unknown } = {}
  for (const key of keys) picked[key] = (row as { readonly [key: string]: unknown })[key]
  return picked
}

/** The row that a new record starts as. `found` has what only the storage knows: copied columns, the next position. */
export const begin = <R extends Any>(
  resource: R,
  input: New<R>,
  by: { readonly id: string; readonly account_id: string; readonly now: string; readonly found?: object },
): RowOf<R> => {
  const values = { ...resource.initial, ...input, ...by.found, ...by, created_at: by.now, updated_at: by.now }
  return pick(values, resource.columns) as unknown as RowOf<R>
}

/** A PATCH as a decision: omitted fields stay, and a patch that changes nothing gives the same row and no event. */
export const patch =
  <R extends Any>(resource: R, changes: Partial<RowOf<R>>) =>
  (row: RowOf<R>, now: string): Result.Result<Change<RowOf<R>>> => {
    const next = merge(row, changes, now)
    return Result.succeed({ row: next, events: next === row ? [] : raise(resource, "updated", next) })
  }

/** The row with the changes in it; the same object when they change nothing. */
export const merge = <Row extends AnyRow>(row: Row, changes: object, now: string): Row =>
  differing(row, changes).length === 0 ? row : { ...row, ...changes, updated_at: now }

/** The fields in which the changes differ from the row. */
export const differing = (row: object, changes: object): ReadonlyArray<string> =>
  Object.entries(changes)
    .filter(([key, value]) => !Json.equals((row as { readonly [key: string]: unknown })[key], value))
    .map(([key]) => key)
