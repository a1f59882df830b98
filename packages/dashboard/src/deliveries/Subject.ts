/** What the event of a delivery is about: a record of the catalogue or an endpoint, as its body tells. */
import type { Kind } from "../catalogue/Records.ts"
import { isJson } from "../parts/Objects.ts"

/** The kinds of records by what their events are called; null for endpoints. */
const kinds: Readonly<Record<string, Kind | null>> = {
  store: "stores",
  product: "products",
  print_area: "print_areas",
  template: "templates",
  design: "designs",
  asset: "assets",
  font: "assets",
  webhook_endpoint: null,
}

interface Subject {
  /** Null for an endpoint, which is in no catalogue. */
  readonly kind: Kind | null
  readonly id: string
  /** Its name or its URL then; its id where it had neither. */
  readonly name: string
}

/** Null where it is about something else, was deleted with it, or its body is gone. */
export const subjectOf = (event: string, body: string | null): Subject | null => {
  const [resource = "", what] = event.split(".")
  const kind = Object.hasOwn(kinds, resource) ? kinds[resource] : undefined
  if (kind === undefined || what === "deleted" || body === null) return null
  const envelope: unknown = JSON.parse(body)
  const data = isJson(envelope) && envelope["data"]
  if (!isJson(data)) return null
  const { id, name = data["url"] } = data
  return typeof id === "string" ? { kind, id, name: typeof name === "string" ? name : id } : null
}
