/** What is wrong with a body and no schema can see: a reference that leads nowhere, a target that is not allowed. */
import { Design, Errors, type Id, Product, type Resource, Store, Template, WebhookEndpoint } from "@tc/domain"
import { Products, Stores } from "@tc/store"
import { Target } from "@tc/webhooks"
import { Effect, Predicate, Schema } from "effect"
import { DeliverySettings } from "../DeliverySettings.ts"

/** Looks at one field of a body, whatever it holds. */
type Check = (account_id: Id.AccountId, value: unknown) => Effect.Effect<ReadonlyArray<Errors.FieldError>>

const nothing = Effect.succeed([])

/** Refuses a URL that no delivery may go to. */
export const target = (url: string, allow_private: boolean): Effect.Effect<void, Errors.Invalid> => {
  const found = Target.check(url, { allow_private })
  if (found.ok) return Effect.void
  const { message } = found
  // A sentence by itself, and a part of one among other fields.
  return Effect.fail(new Errors.Invalid({ message, errors: [{ path: "/url", message: message.replace(/\.$/, "") }] }))
}

/** A field that has to name a record of a resource. */
const reference =
  <R extends Resource.Any>(
    field: string,
    { id_input, name }: R & { readonly id_input: Schema.Codec<Resource.IdOf<R>, string> },
    get: (account_id: Id.AccountId, id: Resource.IdOf<R>) => Effect.Effect<unknown, Errors.NotFound>,
  ): Check =>
  (account_id, value) =>
    Schema.decodeUnknownEffect(id_input)(value).pipe(
      Effect.flatMap((id) => get(account_id, id)),
      Effect.as([]),
      Effect.catchTag("NotFound", () => Effect.succeed(Errors.missingReference(field, name).errors)),
      // What is no id has been told of.
      Effect.catchTag("SchemaError", () => nothing),
    )

/**
 * Answers with the errors that the schemas found in a body for a group of operations, and with those that the handler would
 * find in its other fields: a caller is told of every wrong field at once.
 */
export type Checks = (
  group: string,
  account_id: Id.AccountId,
  body: unknown,
  found: ReadonlyArray<Errors.FieldError>,
) => Effect.Effect<ReadonlyArray<Errors.FieldError>>

export const make = Effect.gen(function* () {
  const [stores, products] = [yield* Stores, yield* Products]
  const { allow_private } = yield* DeliverySettings
  const url: Check = (_, value) =>
    typeof value !== "string"
      ? nothing
      : Effect.match(target(value, allow_private), { onFailure: ({ errors }) => errors, onSuccess: () => [] })
  const store_id = reference("store_id", Store.resource, stores.get)
  const product_id = reference("product_id", Product.resource, products.get)
  const checks: { readonly [group: string]: { readonly [field: string]: Check } } = {
    [Product.resource.path]: { store_id },
    [Template.resource.path]: { store_id },
    [Design.resource.path]: { product_id },
    [WebhookEndpoint.resource.path]: { url },
  }

  const check: Checks = (group, account_id, body, found) => {
    const told = new Set(found.map(({ path }) => path))
    const due = Object.entries(checks[group] ?? {}).filter(([field]) => !told.has(`/${field}`))
    const more = Effect.forEach(due, ([field, check]) =>
      Predicate.hasProperty(body, field) ? check(account_id, body[field]) : nothing,
    )
    return Effect.map(more, (more) => [...found, ...more.flat()])
  }
  return check
})
