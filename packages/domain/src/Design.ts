/** A customer's design: its fields, and its lifecycle as one table. */
import { Result, Schema } from "effect"
import { Conflict, type ConflictCode } from "./Errors.ts"
import type { EventName } from "./EventName.ts"
import * as Field from "./Field.ts"
import * as Id from "./Id.ts"
import * as Resource from "./Resource.ts"
import * as Value from "./Value.ts"

export const Status = Schema.Literals(["draft", "finalized"])

export const resource = Resource.make(
  "design",
  Id.DesignId,
  {
    product_id: Field.required(Id.ProductId.id, Id.ProductId.input),
    store_id: Field.readOnly(Id.StoreId.id),
    session_token: Field.generated(Value.Token),
    status: Field.Field({ ...Field.defaulted(Status, "draft").schemas, patch: Schema.optionalKey(Status) }),
    cart_locked: Field.readOnly(Schema.Boolean),
    canvas_data: Field.apart(Field.defaulted(Value.JsonObject, {})),
    preview_url: Field.nullable(Value.Url),
    metadata: Field.apart(Field.defaulted(Value.JsonObject, {})),
  },
  {
    path: "designs",
    search: "session_token",
    references: { product_id: { to: "products", name: "product", copies: ["store_id"] } },
    unique: { session_token: "session_token_taken" },
    initial: { cart_locked: false },
  },
)

export type Design = typeof resource.row.Type
export type Create = Resource.New<typeof resource>
export type Patch = typeof resource.patch.Type

/** What finalizing may carry; an empty body means none of it. */
export const Finalize = Schema.Struct({
  preview_url: resource.patch.fields.preview_url,
  metadata: resource.patch.fields.metadata,
}).annotate({ identifier: "DesignFinalize" })

/** Where a design stands: its status, and whether a cart holds it. */
export type State = "draft" | "finalized" | "locked"
/** What can happen to a design. `save` touches any field; `annotate` only those that stay open after finalizing. */
export type Command = "save" | "annotate" | "finalize" | "add_to_cart" | "delete"

const messages = {
  design_finalized: "The design is finalized; only preview_url and metadata can still change.",
  design_locked: "The design is in a cart and cannot change any more.",
  design_not_finalized: "The design must be finalized before it goes into a cart.",
} as const satisfies { readonly [Code in ConflictCode]?: string }

/** A transition goes to a state, with the event it raises (none where the design is there already), or is refused. */
type Transition =
  | { readonly to: State | "deleted"; readonly event: EventName | null }
  | { readonly refused: keyof typeof messages }

/** The whole lifecycle: what each command does in each state. */
export const lifecycle = {
  draft: {
    save: { to: "draft", event: "design.updated" },
    annotate: { to: "draft", event: "design.updated" },
    finalize: { to: "finalized", event: "design.finalized" },
    add_to_cart: { refused: "design_not_finalized" },
    delete: { to: "deleted", event: "design.deleted" },
  },
  finalized: {
    save: { refused: "design_finalized" },
    annotate: { to: "finalized", event: "design.updated" },
    finalize: { to: "finalized", event: null },
    add_to_cart: { to: "locked", event: "design.cart_added" },
    delete: { to: "deleted", event: "design.deleted" },
  },
  locked: {
    save: { refused: "design_locked" },
    annotate: { refused: "design_locked" },
    finalize: { to: "locked", event: null },
    add_to_cart: { to: "locked", event: null },
    delete: { to: "deleted", event: "design.deleted" },
  },
} as const satisfies Record<State, Record<Command, Transition>>

/** The columns that each state stands for. */
const columns = {
  draft: { status: "draft", cart_locked: false },
  finalized: { status: "finalized", cart_locked: false },
  locked: { status: "finalized", cart_locked: true },
} as const satisfies Record<State, Partial<Design>>

/** Where a design stands. */
export const state = (design: Pick<Design, "status" | "cart_locked">): State =>
  design.cart_locked ? "locked" : design.status

/** Runs one command: the design with `changes` in its new state and the event of the transition, or the refusal. */
export const run =
  (command: Exclude<Command, "delete">, changes: Partial<Design> = {}) =>
  (design: Design, now: string): Result.Result<Resource.Change<Design>, Conflict> => {
    const transition: Transition = lifecycle[state(design)][command]
    if ("refused" in transition) {
      const code = transition.refused
      return Result.fail(new Conflict({ code, message: messages[code] }))
    }
    if (transition.to === "deleted" || transition.event === null) return Result.succeed({ row: design, events: [] })
    const row: Design = { ...design, ...changes, ...columns[transition.to], updated_at: now }
    return Result.succeed({ row, events: [{ event: transition.event, data: Resource.show(resource, row) }] })
  }

/** What may still change when the rest of a design is settled. */
const open: ReadonlyArray<string> = ["preview_url", "metadata"]

/** A PATCH: saves what differs, then finalizes when the status asks for it. A patch that changes nothing raises nothing. */
export const patch =
  ({ status, ...changes }: Patch & { readonly store_id?: Design["store_id"] }) =>
  (design: Design, now: string): Result.Result<Resource.Change<Design>, Conflict> => {
    const differing = Resource.differing(design, status === undefined ? changes : { ...changes, status })
    if (differing.length === 0) return Result.succeed({ row: design, events: [] })
    const finalizing = status === "finalized" && design.status === "draft"
    const saved = run(differing.every((field) => open.includes(field)) ? "annotate" : "save", changes)(design, now)
    return finalizing ? Result.flatMap(saved, (change) => then(change, run("finalize")(change.row, now))) : saved
  }

/** One change after another, with the events of both in order. */
const then = <E>(first: Resource.Change<Design>, second: Result.Result<Resource.Change<Design>, E>) =>
  Result.map(second, ({ row, events }) => ({ row, events: [...first.events, ...events] }))

/** Finalizing, with what it may carry. A second time it changes nothing and raises nothing. */
export const finalize = (changes: typeof Finalize.Type = {}) => run("finalize", changes)

/** The events of a new design: `design.created` as a draft, then `design.finalized` when it was asked for at once. */
export const begun = (design: Design): Resource.Change<Design> => {
  const draft = { ...design, ...columns.draft }
  const created: Resource.Change<Design> = { row: draft, events: Resource.raise(resource, "created", draft) }
  if (design.status === "draft") return created
  return Result.getOrElse(then(created, run("finalize")(draft, design.created_at)), () => created)
}
