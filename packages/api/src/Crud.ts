/** The five REST operations of a resource, derived from its description. */
import { Errors, Page, type Resource } from "@tc/domain"
import type { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ofBody } from "./Errors.ts"

/** Where the API lives below its base address. The version is part of every path. */
export const PREFIX = "/api/v1"

/** A resource with the form of its ids that callers may use. */
export interface Described extends Resource.Any {
  readonly idInput: Schema.Codec<string, string>
}

/** The name of a resource in a sentence. */
export const noun = ({ name }: { readonly name: string }): string => name.replaceAll("_", " ")

/** A name as the name of a component: `design.finalized` is `DesignFinalized`. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[._])(.)/g, (_, letter: string) => letter.toUpperCase())

/** One of a resource's forms, as that resource has it: TypeScript would look at `resource.record` as at any record. */
const form = <R extends Described, Form extends keyof R>(resource: R, name: Form): R[Form] => resource[name]

/** A summary and a description for the document. */
export const documented = (summary: string, description: string) => OpenApi.annotations({ summary, description })

/** A page of records, as a component of its own. */
export const page = <R extends Described>(resource: R) =>
  Page.Page(form(resource, "record")).annotate({ identifier: `${pascal(resource.name)}Page` })

/** A page of records. */
export const list = <R extends Described>(resource: R) =>
  HttpApiEndpoint.get("list", "/", {
    query: Page.Query,
    success: page(resource),
    error: Errors.Invalid,
  }).annotateMerge(documented(`List ${noun(resource)}s`, texts.list(resource)))

/** Adds a record. */
export const create = <R extends Described>(resource: R) =>
  HttpApiEndpoint.post("create", "/", {
    payload: form(resource, "create"),
    success: form(resource, "record").pipe(HttpApiSchema.status(201)),
    error: [Errors.Conflict, ...ofBody],
  }).annotateMerge(documented(`Create a ${noun(resource)}`, texts.create))

/** One record. */
export const get = <R extends Described>(resource: R) =>
  HttpApiEndpoint.get("get", "/:id", {
    params: { id: form(resource, "idInput") },
    success: form(resource, "record"),
    error: Errors.NotFound,
  }).annotateMerge(documented(`Get a ${noun(resource)}`, texts.get))

/** Changes the fields that are given. */
export const modify = <R extends Described>(resource: R) =>
  HttpApiEndpoint.patch("modify", "/:id", {
    params: { id: form(resource, "idInput") },
    payload: form(resource, "patch"),
    success: form(resource, "record"),
    error: [Errors.NotFound, Errors.Conflict, ...ofBody],
  }).annotateMerge(documented(`Update a ${noun(resource)}`, texts.modify))

/** Removes a record. */
export const remove = <R extends Described>(resource: R) =>
  HttpApiEndpoint.delete("delete", "/:id", {
    params: { id: form(resource, "idInput") },
    success: HttpApiSchema.NoContent,
    error: Errors.NotFound,
  }).annotateMerge(documented(`Delete a ${noun(resource)}`, texts.delete))

type Operations<R extends Described> =
  | ReturnType<typeof list<R>>
  | ReturnType<typeof create<R>>
  | ReturnType<typeof get<R>>
  | ReturnType<typeof modify<R>>
  | ReturnType<typeof remove<R>>

/** The five operations of a resource under its path. Named, so that the types of the groups stay short. */
export interface Group<Path extends string, R extends Described> extends HttpApiGroup.HttpApiGroup<
  Path,
  HttpApiEndpoint.AddPrefix<Operations<R>, `${typeof PREFIX}/${Path}`>
> {}

/** All five, at the resource's own path. Further operations are added beside them with `.add`. */
export const group = <const Path extends string, R extends Described>(path: Path, resource: R): Group<Path, R> =>
  HttpApiGroup.make(path)
    .add(list(resource), create(resource), get(resource), modify(resource), remove(resource))
    .prefix(`${PREFIX}/${path}`)

/** What the document says of each operation. */
export const texts = {
  list: ({ order, search }: Pick<Resource.Options, "order" | "search">): string =>
    `A page of the account's records, ${order === "position" ? "by `position`, then oldest first" : "newest first"}. ` +
    `\`q\` keeps those whose \`${search}\` contains it, in any case.`,
  create:
    "Answers with the record and its `Location`. An `id` of your own makes a repeated request safe: the second one is refused with 409.",
  get: "Answers with the record.",
  modify:
    "Changes the fields that are given and leaves the others. `null` clears a field that may be empty; objects and arrays are replaced whole.",
  delete: "Removes the record and all that belongs to it. Each record removed raises its own event.",
}
