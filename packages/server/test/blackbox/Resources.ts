/** The six kinds of records that the API keeps, each with what to send and what to expect. */
import { unique, type Api, type Json } from "./Api.ts"

/** What a record may refer to. */
export interface World {
  readonly store: Json
  readonly product: Json
}

export interface Resource {
  /** As in the names of its events. */
  readonly name: string
  readonly path: (world: World) => string
  /** The least that a create takes. */
  readonly required: (world: World) => Readonly<Record<string, unknown>>
  /** What such a record has beside what was sent. */
  readonly defaults: (world: World) => Readonly<Record<string, unknown>>
  /** The fields that the service finds a value for. */
  readonly assigned: ReadonlyArray<string>
  /** Everything else that a caller can set. */
  readonly optional: Readonly<Record<string, unknown>>
  /** The fields that may be cleared, and what they are then. */
  readonly cleared: Readonly<Record<string, unknown>>
  /** The fields that only the service sets, with something else than they are. */
  readonly readOnly: Readonly<Record<string, unknown>>
}

const canvas = { version: "6.0", objects: [{ type: "text", text: unique(), nested: { "": [null, 1.5, "ü"] } }] }
const url = (name: string) => `https://images.example/${name}.png?size=1&q=%20`

export const resources: ReadonlyArray<Resource> = [
  {
    name: "store",
    path: () => "stores",
    required: () => ({ name: unique(), platform: "swell" }),
    defaults: () => ({
      domain: null,
      active: true,
      store_url: null,
      external_store_id: null,
      connection_status: "pending",
    }),
    assigned: [],
    optional: { domain: "prints.example", active: false, store_url: url("shop"), external_store_id: "shop-17" },
    cleared: { domain: null, active: true, store_url: null, external_store_id: null },
    readOnly: { connection_status: "connected" },
  },
  {
    name: "product",
    path: () => "products",
    required: ({ store }) => ({ name: unique(), store_id: store.id }),
    defaults: () => ({ description: null, customizable: true, base_image_url: null, variants: [] }),
    assigned: [],
    optional: {
      description: "A mug.\nWhite.",
      customizable: false,
      base_image_url: url("mug"),
      variants: [{ size: "L", color: "red" }, "plain", null],
    },
    cleared: { description: null, customizable: true, base_image_url: null, variants: [] },
    readOnly: {},
  },
  {
    name: "print_area",
    path: ({ product }) => `products/${product.id}/print_areas`,
    required: () => ({ name: unique(), width_px: 1, height_px: 100_000 }),
    defaults: ({ product }) => ({ product_id: product.id, bounds: null, background_url: null }),
    assigned: ["position"],
    optional: {
      bounds: { x: -1.5, y: 0, width: 10, height: 20.25 },
      background_url: url("back"),
      position: 7,
    },
    cleared: { bounds: null, background_url: null },
    readOnly: { product_id: crypto.randomUUID() },
  },
  {
    name: "template",
    path: () => "templates",
    required: ({ store }) => ({ name: unique(), store_id: store.id }),
    defaults: () => ({ description: null, active: true, canvas_data: {}, thumbnail_url: null }),
    assigned: [],
    optional: { description: "", active: false, canvas_data: canvas, thumbnail_url: url("thumbnail") },
    cleared: { description: null, active: true, canvas_data: {}, thumbnail_url: null },
    readOnly: {},
  },
  {
    name: "design",
    path: () => "designs",
    required: ({ product }) => ({ product_id: product.id }),
    defaults: ({ store }) => ({
      store_id: store.id,
      status: "draft",
      cart_locked: false,
      canvas_data: {},
      preview_url: null,
      metadata: {},
    }),
    assigned: ["session_token"],
    optional: { session_token: unique(), canvas_data: canvas, preview_url: url("preview"), metadata: { quantity: 3 } },
    cleared: { canvas_data: {}, preview_url: null, metadata: {} },
    readOnly: { store_id: crypto.randomUUID(), cart_locked: true },
  },
  {
    name: "asset",
    path: () => "assets",
    required: () => ({ name: unique(), asset_type: "clipart" }),
    defaults: () => ({ category: null, metadata: {}, file_url: null }),
    assigned: [],
    optional: { category: "stars", metadata: { tags: ["star"] } },
    cleared: { category: null, metadata: {} },
    readOnly: { file_url: "https://elsewhere.example/file" },
  },
]

/** A new store with a product, for other records to refer to. */
export const world = async (api: Api): Promise<World> => {
  const store = await api.create("stores", { name: unique(), platform: "swell" })
  const product = await api.create("products", { name: unique(), store_id: store.id })
  return { store, product }
}
