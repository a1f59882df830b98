/**
 * How a field appears in the forms of a record: `row` (as stored), `record` (as REST and webhooks show it), `summary` (as a
 * list for people shows it), `create` and `patch` (as callers send it), `given` (what a handler adds to a create). A field says
 * all of them at once.
 */
import { Effect, Schema, SchemaTransformation, Struct as Fields } from "effect"
import { VariantSchema } from "effect/schema"

/** The forms; every resource is a `Struct` of such fields. */
export const { Field, Struct, extract } = VariantSchema.make({
  variants: ["row", "record", "summary", "create", "patch", "given"],
  defaultVariant: "record",
})

/** The name of a form. */
export type Form = "row" | "record" | "summary" | "create" | "patch" | "given"

/** A schema whose values look the same decoded and encoded, as every stored field does. */
export type Plain = Schema.Top & {
  readonly DecodingServices: never
  readonly EncodingServices: never
}

/** An input that may be `null` or left out, and then means `fallback`. */
const orDefault = <S extends Plain>(schema: S, fallback: S["Type"]) =>
  Schema.NullOr(schema).pipe(
    Schema.decodeTo(
      Schema.toType(schema),
      SchemaTransformation.transform<S["Type"], S["Type"] | null>({
        decode: (value) => (value === null ? fallback : value),
        encode: (value) => value,
      }),
    ),
  )

/**
 * An array that is looked into only when it has at most `maximum` items: each wrong one among millions would cost an error
 * of its own.
 */
export const bounded = <S extends Plain>(schema: S, maximum: number, items: string) =>
  // To TypeScript the array of anything comes first, and the wire form of what is in it is forgotten.
  Schema.Array(Schema.Unknown)
    .check(Schema.isMaxLength(maximum, { expected: `at most ${maximum} ${items}` }))
    .pipe(Schema.decodeTo(Schema.Unknown), Schema.decodeTo(schema)) as unknown as Schema.Codec<S["Type"], S["Encoded"]>

/** Must be given at creation, and can be changed but not cleared later. `input` is how callers may spell it. */
export const required = <S extends Plain, I extends Plain = S>(schema: S, input: I = schema as unknown as I) =>
  Field({ row: schema, record: schema, summary: schema, create: input, patch: Schema.optionalKey(input) })

/** May be left out or `null`; always present in the record. */
export const nullable = <S extends Plain>(schema: S) =>
  Field({
    row: Schema.NullOr(schema),
    record: Schema.NullOr(schema),
    summary: Schema.NullOr(schema),
    create: Schema.NullOr(schema).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
    patch: Schema.optionalKey(Schema.NullOr(schema)),
  })

/** Has a natural value of its own: leaving it out at creation, or `null` at any time, means `fallback`. */
export const defaulted = <S extends Plain>(schema: S, fallback: S["Type"]) =>
  Field({
    row: schema,
    record: schema,
    summary: schema,
    create: orDefault(schema, fallback).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
    patch: Schema.optionalKey(orDefault(schema, fallback)),
  })

/** Found by the service when the caller names none at creation; can be changed but not cleared later. */
export const assigned = <S extends Plain>(schema: S) =>
  Field({
    row: schema,
    record: schema,
    summary: schema,
    create: Schema.NullOr(schema).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
    patch: Schema.optionalKey(schema),
  })

/** Like `assigned`, but found by the handler: where callers name none, it has to make one. */
export const generated = <S extends Plain>(schema: S) => Field({ ...assigned(schema).schemas, given: schema })

/** Given once, at creation, by the handler: in REST it comes from the path. */
export const given = <S extends Plain>(schema: S) =>
  Field({ row: schema, record: schema, summary: schema, given: schema })

/** Set by the service alone; ignored in what callers send. */
export const readOnly = <S extends Plain>(schema: S) => Field({ row: schema, record: schema, summary: schema })

/** Given at creation by the handler, kept with the row and never shown. */
export const hidden = <S extends Plain>(schema: S) => Field({ row: schema, given: schema })

/** The same field, left out of summaries: free-form JSON and long texts, of which a page of records may have very many bytes. */
export const apart = <Schemas extends VariantSchema.Field.Config & { readonly summary: Plain }>({
  schemas,
}: VariantSchema.Field<Schemas>) =>
  // To TypeScript what is left of the forms is no form, while they are generic.
  Field(Fields.omit(schemas, ["summary"]) as never) as unknown as VariantSchema.Field<Omit<Schemas, "summary">>
