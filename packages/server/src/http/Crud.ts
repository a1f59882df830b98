/** The handlers of a resource's five operations, over any repository of it. */
import { Crud, CurrentKey } from "@tc/api"
import { type Errors, type Id, type Page, Resource } from "@tc/domain"
import type { Repository } from "@tc/store"
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import * as Responses from "./Responses.ts"

/** Runs in the name of the account whose key the request carries. */
export const asAccount = <A, E, R>(run: (account_id: Id.AccountId) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentKey, ({ account_id }) => run(account_id))

/** Answers with a record. */
export const shown =
  <R extends Resource.Any>(resource: R) =>
  (row: Resource.RowOf<R>) =>
    Responses.json(Resource.show(resource, row))

/** Answers with a page of records. */
export const paged =
  <R extends Resource.Any>(resource: R) =>
  ({ data, meta }: Page.Page<Resource.RowOf<R>>) =>
    Responses.json({ data: data.map((row) => Resource.show(resource, row)), meta })

/** Where a record of a resource is. */
export const locationOf = ({ path }: Resource.Any, { id }: Resource.AnyRow): string => `${Crud.PREFIX}/${path}/${id}`

/** An answer in the name of an account. */
type Answer<E = never> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, CurrentKey>

interface One<R extends Resource.Any> {
  readonly params: { readonly id: Resource.IdOf<R> }
}

/** The five handlers of a resource. */
export interface Handlers<R extends Resource.Any> {
  readonly list: (request: { readonly query: Page.Request }) => Answer<Errors.Invalid>
  readonly create: (request: { readonly payload: Resource.New<R> }) => Answer<Errors.Conflict | Errors.Invalid>
  readonly get: (request: One<R>) => Answer<Errors.NotFound>
  readonly modify: (
    request: One<R> & { readonly payload: R["patch"]["Type"] },
  ) => Answer<Errors.NotFound | Errors.Conflict | Errors.Invalid>
  readonly delete: (request: One<R>) => Answer<Errors.NotFound>
}

/** All five over a repository. A handler that a resource needs otherwise is named after them in the spread. */
export const handlers = <R extends Resource.Any>(resource: R, repository: Repository<R>): Handlers<R> => ({
  list: ({ query }) => asAccount((account_id) => Effect.map(repository.list(account_id, query), paged(resource))),
  create: ({ payload }) =>
    asAccount((account_id) =>
      Effect.map(repository.create(account_id, payload), (row) =>
        Responses.created(locationOf(resource, row), Resource.show(resource, row)),
      ),
    ),
  get: ({ params }) => asAccount((account_id) => Effect.map(repository.get(account_id, params.id), shown(resource))),
  modify: ({ params, payload }) =>
    asAccount((account_id) =>
      Effect.map(
        // A patch holds columns of its row; TypeScript cannot see that while R is generic.
        repository.modify(account_id, params.id, Resource.patch(resource, payload as Partial<Resource.RowOf<R>>)),
        shown(resource),
      ),
    ),
  delete: ({ params }) =>
    asAccount((account_id) => Effect.as(repository.delete(account_id, params.id), Responses.noContent)),
})
