/** Which records are shown: it stands in the address, so that it can be shared and gone back to. */
import { isSaid, pageSearch } from "../parts/Address.ts"
import type { Kind } from "./Records.ts"

/** The kinds of records, as the address names them. */
const kind_names: ReadonlyArray<string> = [
  "stores",
  "products",
  "print_areas",
  "templates",
  "designs",
  "assets",
] satisfies ReadonlyArray<Kind>

export const isKind = (text: string): text is Kind => kind_names.includes(text)

/** The filters of all kinds together; each kind takes those that it has. */
export const filter_names = ["store_id", "product_id", "status", "asset_type", "connection_status"] as const
export type FilterName = (typeof filter_names)[number]

export interface CatalogueSearch extends Partial<Readonly<Record<FilterName, string>>> {
  readonly page?: number
  readonly q?: string
}

/** The part of an address that makes sense; the rest is left out. */
export const catalogueSearch = (search: Record<string, unknown>): CatalogueSearch => {
  const { page, q } = search
  // The router reads digits as a number.
  const words = typeof q === "number" ? String(q) : q
  const filters = filter_names.flatMap((name) => {
    const value = search[name]
    return isSaid(value) ? [[name, value] as const] : []
  })
  return {
    ...pageSearch({ page }),
    ...(isSaid(words) ? { q: words } : {}),
    ...Object.fromEntries(filters),
  }
}
