/** The five REST operations of a resource, derived from its description. */
import { Errors, Name, Page, type Resource } from "@tc/domain"
import type { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ofBody } from "./Errors.ts"

/** Where the API lives below its base address. The version is part of every path. */
export const PREFIX = "/api/v1"

/** A resource with the form of its ids that callers may use. */
export interface Described extends Resource.Any {
  readonly id_input: Schema.Codec<string, string>
}

/** One of a resource's forms, as that resource has it: TypeScript would look at `resource.record` as at any record. */
export const form = <R extends Described, Form extends keyof R>(resource: R, name: Form): R[Form] => resource[name]

/** A summary and a description for the document. */
export const about = (summary: string, description: string) => OpenApi.annotations({ summary, description })

/** A page of records. */
export const list = <R extends Described>(resource: R) =>
  HttpApiEndpoint.get("list", "/", {
    query: Page.Query,
    success: Page.Page(form(resource, "record")),
    error: Errors.Invalid,
  }).annotateMerge(about(`List ${Name.spoken(resource.name)}s`, texts.list(resource)))

/** Adds a record. */
export const create = <R extends Described>(resource: R) =>
  HttpApiEndpoint.post("create", "/", {
    payload: form(resource, "create"),
    success: form(resource, "record").pipe(HttpApiSchema.status(201)),
    error: [Errors.Conflict, ...ofBody],
  }).annotateMerge(about(`Create ${Name.one(resource.name)}`, texts.create))

/** One record. */
export const get = <R extends Described>(resource: R) =>
  HttpApiEndpoint.get("get", "/:id", {
    params: { id: form(resource, "id_input") },
    success: form(resource, "record"),
    error: Errors.NotFound,
  }).annotateMerge(about(`Get ${Name.one(resource.name)}`, texts.get))

/** Changes the fields that are given. */
export const modify = <R extends Described>(resource: R) =>
  HttpApiEndpoint.patch("modify", "/:id", {
    params: { id: form(resource, "id_input") },
    payload: form(resource, "patch"),
    success: form(resource, "record"),
    error: [Errors.NotFound, Errors.Conflict, ...ofBody],
  }).annotateMerge(about(`Update ${Name.one(resource.name)}`, texts.modify))

/** Removes a record. */
export const remove = <R extends Described>(resource: R) =>
  HttpApiEndpoint.delete("delete", "/:id", {
    params: { id: form(resource, "id_input") },
    success: HttpApiSchema.NoContent,
    error: Errors.NotFound,
  }).annotateMerge(about(`Delete ${Name.one(resource.name)}`, texts.delete))

type Operations<R extends Described> =
  | ReturnType<typeof list<R>>
  | ReturnType<typeof create<R>>
  | ReturnType<typeof get<R>>
  | ReturnType<typeof modify<R>>
  | ReturnType<typeof remove<R>>

/** The five operations of a resource under its path. Named, so that the types of the groups stay short. */
export interface Group<R extends Described> extends HttpApiGroup.HttpApiGroup<
  R["path"],
  HttpApiEndpoint.AddPrefix<Operations<R>, `${typeof PREFIX}/${R["path"]}`>
> {}

/** All five, at the resource's own path. Further operations are added beside them with `.add`. */
export const group = <R extends Described>(resource: R, description: string): Group<R> =>
  HttpApiGroup.make<R["path"]>(form(resource, "path"))
    .add(list(resource), create(resource), get(resource), modify(resource), remove(resource))
    .prefix(`${PREFIX}/${form(resource, "path")}`)
    .annotate(OpenApi.Description, description)

/** What the document says of each operation. */
export const texts = {
  list: ({ order, search }: Pick<Resource.Options, "order" | "search">): string =>
    `A page of the account's records, ${order === "position" ? "by `position`, then oldest first" : "newest first"}. ` +
    `\`q\` keeps those whose \`${search}\` contains it, in any case.`,
  create:
    "Answers with the record and its `Location`. An `id` of your own makes a repeated request safe: the second one is refused with 409.",
  get: "Answers with the record.",
  modify:
    "Changes the fields that are given and leaves the others. `null` clears a field that may be empty, and sets one that has a default back to it; objects and arrays are replaced whole.",
  delete: "Removes the record and all that belongs to it. Each record removed raises its own event.",
}
