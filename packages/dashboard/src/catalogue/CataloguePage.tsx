/** The list of a kind of record, and one of them: which, says the address. */
import { useParams } from "@tanstack/react-router"
import { Asset, Assets } from "./Assets.tsx"
import { Design, Designs } from "./Designs.tsx"
import { PrintArea, PrintAreas } from "./PrintAreas.tsx"
import { Product, Products } from "./Products.tsx"
import { Store, Stores } from "./Stores.tsx"
import { Template, Templates } from "./Templates.tsx"
import { isKind } from "./Search.ts"

const lists = {
  stores: Stores,
  products: Products,
  print_areas: PrintAreas,
  templates: Templates,
  designs: Designs,
  assets: Assets,
}
const ones = {
  stores: Store,
  products: Product,
  print_areas: PrintArea,
  templates: Template,
  designs: Design,
  assets: Asset,
}

export const CataloguePage = () => {
  const { kind } = useParams({ from: "/shell/catalogue/$kind" })
  if (!isKind(kind)) return null
  const List = lists[kind]
  // Another kind begins with its own search and filters.
  return <List key={kind} />
}

export const RecordPage = () => {
  const { kind, id } = useParams({ from: "/shell/catalogue/$kind/$id" })
  if (!isKind(kind)) return null
  const One = ones[kind]
  return <One key={id} id={id} />
}
