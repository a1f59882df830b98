/** The names of all events, in the order of the catalogue, each with when it is raised. */
import { Schema } from "effect"

/** Every event name with the sentence that says when it is raised. */
export const descriptions = {
  "store.created": "A store was connected to the account.",
  "store.updated": "Store settings, theme or credentials were updated.",
  "store.deleted": "A store was disconnected and removed.",
  "store.connected": "The connection status became `connected`.",
  "store.disconnected": "The connection status changed away from `connected`.",
  "store.synced": "A product sync completed successfully.",
  "store.sync_failed": "A product sync failed; the store is left in `error`.",
  "store.customizer_enabled": "The customizer was turned on for the whole store.",
  "store.customizer_disabled": "The customizer was turned off for the whole store.",
  "product.created": "A customizable product was added.",
  "product.updated": "Product metadata, customization settings or images changed.",
  "product.deleted": "A product was removed.",
  "print_area.created": "A zone was defined on a product.",
  "print_area.updated": "Bounds, dimensions or background changed.",
  "print_area.deleted": "A print area was removed.",
  "template.created": "A template was created.",
  "template.updated": "Name, canvas data or active flag changed.",
  "template.deleted": "A template was deleted.",
  "design.created": "A design session started.",
  "design.updated": "Canvas data was saved, by autosave or explicitly.",
  "design.finalized": "The status became `finalized`.",
  "design.cart_added": "A finalized design was added to the cart and locked.",
  "design.shared": "Sharing was enabled and a public share link generated.",
  "design.deleted": "A design was deleted.",
  "asset.created": "An asset (clipart or background) was uploaded.",
  "asset.updated": "Asset metadata or file was updated.",
  "asset.deleted": "An asset was removed.",
  "font.created": "A font was uploaded.",
  "font.updated": "Font metadata or file was updated.",
  "font.deleted": "A font was removed.",
  "bulk_order.created": "A bulk order, several variants of one design, was created.",
  "bulk_order.updated": "Items, quantities or status changed.",
  "bulk_order.completed": "The status of a bulk order became `completed`.",
  "print_file.generated": "A high-resolution print file was rendered for a finalized design.",
  "mockup.generated": "A marketing mockup archive was generated.",
  "pricing_rule.created": "A pricing rule was added.",
  "pricing_rule.updated": "Scope, formula or active flag changed.",
  "pricing_rule.deleted": "A pricing rule was removed.",
  "printing_method.created": "A printing method was added.",
  "printing_method.updated": "Pricing or settings changed.",
  "printing_method.deleted": "A printing method was removed.",
  "webhook_endpoint.disabled": "An endpoint was disabled after too many deliveries in a row had failed for good.",
} as const

export type EventName = keyof typeof descriptions

/** What can happen to any record. */
export type Verb = "created" | "updated" | "deleted"

/** What the catalogue has all three verbs of: `store`, for there are `store.created`, `store.updated`, `store.deleted`. */
export type Subject<Name = EventName> = Name extends `${infer Of}.deleted` ? Of : never

/** Something for each of a subject's three events. */
type Changes<Of extends Subject, A> = { readonly [V in Verb as `${Of}.${V}`]: A }

/** The events of a subject's three verbs, each with its value. */
export const changes = <const Of extends Subject, A>(
  of: Of,
  created: A,
  updated: A = created,
  deleted: A = created,
): Changes<Of, A> =>
  // A key made of a type parameter is any text to TypeScript.
  ({ [`${of}.created`]: created, [`${of}.updated`]: updated, [`${of}.deleted`]: deleted }) as Changes<Of, A>

/** All names, in the order of the catalogue. */
export const all = Object.keys(descriptions) as ReadonlyArray<string> as ReadonlyArray<EventName>

export const EventName = Schema.Literals(all).annotate({
  identifier: "EventName",
  message: "must be the name of an event",
})
