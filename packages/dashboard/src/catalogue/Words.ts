/** What each kind of record is called, what it is, and how a program creates the first. */
import {
  IconBuildingStore,
  IconCrop,
  IconPalette,
  IconPhotoStar,
  IconShirt,
  IconTemplate,
  type TablerIcon,
} from "@tabler/icons-react"
import type { Kind } from "./Records.ts"

interface Words {
  readonly one: string
  readonly many: string
  readonly about: string
  /** What a search looks at. */
  readonly searched: string
  readonly icon: TablerIcon
  /** A path below the REST API and the shortest body that it takes. */
  readonly example: { readonly path: string; readonly body: Readonly<Record<string, unknown>> }
}

export const kinds = {
  stores: {
    one: "Store",
    many: "Stores",
    about: "Shops that are connected to this account.",
    searched: "name",
    icon: IconBuildingStore,
    example: { path: "stores", body: { name: "Riverside Prints", platform: "swell" } },
  },
  products: {
    one: "Product",
    many: "Products",
    about: "What the stores sell and customers may customize.",
    searched: "name",
    icon: IconShirt,
    example: { path: "products", body: { name: "Tee", store_id: "…" } },
  },
  print_areas: {
    one: "Print area",
    many: "Print areas",
    about: "The zones of products that customers can print on.",
    searched: "name",
    icon: IconCrop,
    example: { path: "products/…/print_areas", body: { name: "Front", width_px: 3600, height_px: 4800 } },
  },
  templates: {
    one: "Template",
    many: "Templates",
    about: "Designs to start from.",
    searched: "name",
    icon: IconTemplate,
    example: { path: "templates", body: { name: "Birthday", store_id: "…" } },
  },
  designs: {
    one: "Design",
    many: "Designs",
    about: "What customers made of products, from draft to cart.",
    searched: "session token",
    icon: IconPalette,
    example: { path: "designs", body: { product_id: "…" } },
  },
  assets: {
    one: "Asset",
    many: "Assets",
    about: "Cliparts, fonts and backgrounds that designs use.",
    searched: "name",
    icon: IconPhotoStar,
    example: { path: "assets", body: { name: "Star", asset_type: "clipart" } },
  },
} as const satisfies Record<Kind, Words>
