/** Lists in pages: one request and one answer for all of them. */
import { Effect, Schema, SchemaAST, SchemaTransformation } from "effect"
import * as Limits from "./Limits.ts"
import * as Value from "./Value.ts"

const fromDigits = (maximum: number, clamp: boolean) =>
  Schema.String.check(Schema.isPattern(/^\d+$/u, { expected: "a whole number" })).pipe(
    Schema.decodeTo(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }, { expected: `a whole number from 1 to ${maximum}` })),
      SchemaTransformation.transform({
        decode: (digits) => (clamp ? Math.min(Number(digits), maximum) : Number(digits)),
        encode: (value) => String(value),
      }),
    ),
  )

/** The query parameters of every list. A `per_page` above the maximum is served as the maximum. */
export const Pagination = {
  page: fromDigits(Limits.PAGE_MAX, false).pipe(Schema.withDecodingDefaultKey(Effect.succeed("1"))),
  per_page: fromDigits(Limits.PER_PAGE_MAX, true).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(String(Limits.PER_PAGE_DEFAULT))),
  ),
}

/** Those of a list that can be searched. */
export const Query = { ...Pagination, q: Schema.optionalKey(Value.Label) }

/** Which page of which records. */
export interface Request {
  /** From 1. */
  readonly page: number
  /** 1 to 100. */
  readonly per_page: number
  /** A case-insensitive part of the searched column; `%` and `_` mean themselves. Empty means no search. */
  readonly q?: string
}

/** Where a page lies in its list. */
export const Meta = Schema.Struct({
  page: Schema.Int,
  per_page: Schema.Int,
  total: Value.Count,
  total_pages: Value.Count,
}).annotate({ identifier: "PageMeta" })

/** The answer of every list. */
export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly meta: typeof Meta.Type
}

/** Its schema, named after that of the items: a page of `Store` is a `StorePage`. */
export const Page = <S extends Schema.Top>(item: S) =>
  Schema.Struct({ data: Schema.Array(item), meta: Meta }).annotate({
    identifier: `${SchemaAST.resolveIdentifier(item.ast)}Page`,
  })

/** The answer to a request, given its records and how many there are in all. */
export const make = <A>({ page, per_page }: Request, data: ReadonlyArray<A>, total: number): Page<A> => ({
  data,
  meta: { page, per_page, total, total_pages: Math.ceil(total / per_page) },
})
