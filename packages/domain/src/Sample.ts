/** One realistic sample of every event's data: for documents, and for the event that a person sends to try an endpoint. */
import { Schema } from "effect"
import * as Asset from "./Asset.ts"
import { BulkOrder } from "./BulkOrder.ts"
import * as Design from "./Design.ts"
import type * as Event from "./Event.ts"
import { changes, type EventName } from "./EventName.ts"
import { Mockup } from "./Mockup.ts"
import * as PrintArea from "./PrintArea.ts"
import { PricingRule } from "./PricingRule.ts"
import { PrintFile } from "./PrintFile.ts"
import { PrintingMethod } from "./PrintingMethod.ts"
import * as Product from "./Product.ts"
import * as Store from "./Store.ts"
import * as Template from "./Template.ts"
import * as WebhookEndpoint from "./WebhookEndpoint.ts"

const uuid = (last: string): string => `019a3f5e-7c10-7d42-9b6e-5f21c08a4e${last}`

const created = {
  account_id: uuid("00"),
  created_at: "2026-11-02T09:30:00.000Z",
  updated_at: "2026-11-02T09:30:00.000Z",
}
const later = { updated_at: "2026-11-03T14:05:27.481Z" }

/** A store whose connection is not made yet. */
export const store = Schema.decodeSync(Store.resource.record)({
  id: uuid("01"),
  name: "Riverside Prints",
  platform: "swell",
  domain: "riverside-prints.example",
  active: true,
  store_url: "https://riverside-prints.example",
  external_store_id: "riverside-prints",
  connection_status: "pending",
  ...created,
})

export const product = Schema.decodeSync(Product.resource.record)({
  id: uuid("02"),
  name: "Organic Cotton T-Shirt",
  description: "A heavy T-shirt of organic cotton.",
  store_id: store.id,
  customizable: true,
  base_image_url: "https://cdn.riverside-prints.example/t-shirt.png",
  variants: [
    { size: "M", color: "Black" },
    { size: "L", color: "Black" },
  ],
  ...created,
})

export const print_area = Schema.decodeSync(PrintArea.resource.record)({
  id: uuid("03"),
  product_id: product.id,
  name: "Front",
  width_px: 3600,
  height_px: 4800,
  bounds: { x: 420, y: 310, width: 360, height: 480 },
  background_url: null,
  position: 1,
  ...created,
})

/** What a canvas holds, in the format of Fabric.js. */
const canvas = {
  version: "7.4.0",
  objects: [{ type: "Textbox", left: 1800, top: 900, text: "Hello", fontFamily: "Bitter", fontSize: 240 }],
}

export const template = Schema.decodeSync(Template.resource.record)({
  id: uuid("04"),
  name: "Birthday",
  description: null,
  store_id: store.id,
  active: true,
  canvas_data: canvas,
  thumbnail_url: "https://cdn.riverside-prints.example/birthday.png",
  ...created,
})

/** A draft just begun. */
export const design = Schema.decodeSync(Design.resource.record)({
  id: uuid("05"),
  product_id: product.id,
  store_id: store.id,
  session_token: "kX2f9aVtq0T3mZ7uRrYw1bLcN8sJhEoD5gPiKvQx4A0",
  status: "draft",
  cart_locked: false,
  canvas_data: {},
  preview_url: null,
  metadata: { quantity: 1 },
  ...created,
})

const saved = { ...design, canvas_data: { [print_area.id]: canvas }, ...later }
const finalized = {
  ...saved,
  status: "finalized" as const,
  preview_url: "https://cdn.riverside-prints.example/design.png",
}

export const asset = Schema.decodeSync(Asset.resource.record)({
  id: uuid("06"),
  name: "Paper Plane",
  asset_type: "clipart",
  category: "Travel",
  metadata: { license: "CC0-1.0" },
  file_url: "https://cdn.riverside-prints.example/paper-plane.svg",
  ...created,
})

export const font = {
  ...asset,
  id: Schema.decodeSync(Asset.resource.id)(uuid("07")),
  name: "Bitter",
  asset_type: "font" as const,
  category: "Serif",
  metadata: { license: "OFL-1.1" },
  file_url: "https://cdn.riverside-prints.example/bitter.woff2",
}

/** A bulk order that is done. */
export const bulk_order = Schema.decodeSync(BulkOrder)({
  id: uuid("08"),
  design_id: design.id,
  status: "completed",
  total_quantity: 30,
  items: [
    { id: uuid("09"), variant_options: { size: "M", color: "Black" }, quantity: 20 },
    { id: uuid("0a"), variant_options: { size: "L", color: "Black" }, quantity: 10 },
  ],
})

export const print_file = Schema.decodeSync(PrintFile)({
  id: uuid("0b"),
  design_id: design.id,
  print_area_id: print_area.id,
  file_url: "https://cdn.riverside-prints.example/front.png",
  format: "png",
  width_px: 3600,
  height_px: 4800,
  dpi: 300,
  created_at: "2026-11-03T14:06:02.917Z",
})

export const mockup = Schema.decodeSync(Mockup)({
  id: uuid("0c"),
  product_id: product.id,
  design_id: design.id,
  file_url: "https://cdn.riverside-prints.example/mockups.zip",
  image_count: 6,
  created_at: "2026-11-03T14:07:40.250Z",
})

export const pricing_rule = Schema.decodeSync(PricingRule)({
  id: uuid("0d"),
  name: "Second print area",
  scope: { product_id: product.id },
  formula: { type: "per_print_area", from: 2, amount: "3.50", currency: "EUR" },
  active: true,
  ...created,
})

export const printing_method = Schema.decodeSync(PrintingMethod)({
  id: uuid("0e"),
  name: "Screen print",
  pricing: { setup: "25.00", per_color: "1.20", currency: "EUR" },
  settings: { max_colors: 6 },
  active: true,
  ...created,
})

/** An endpoint that was disabled after five deliveries in a row had failed for good. */
export const webhook_endpoint = Schema.decodeSync(WebhookEndpoint.resource.record)({
  id: uuid("0f"),
  url: "https://hooks.riverside-prints.example/customizer",
  events: ["design.finalized", "bulk_order.completed"],
  description: "Order desk",
  max_per_second: 20,
  ordered: true,
  disable_on_gone: false,
  status: "auto-disabled",
  consecutive_failures: 5,
  disabled_at: later.updated_at,
  secret_overlap_until: null,
  ...created,
  ...later,
})

const connected = { ...store, connection_status: "connected" as const, ...later }

const samples = {
  ...changes("store", store, { ...store, name: "Riverside Print Studio", ...later }),
  "store.connected": connected,
  "store.disconnected": { ...store, ...later },
  "store.synced": connected,
  "store.sync_failed": { ...store, connection_status: "error", ...later },
  "store.customizer_enabled": connected,
  "store.customizer_disabled": connected,
  ...changes("product", product, { ...product, description: "Now in two sizes.", ...later }),
  ...changes("print_area", print_area, { ...print_area, name: "Chest", ...later }),
  ...changes("template", template, { ...template, active: false, ...later }),
  ...changes("design", design, saved, finalized),
  "design.finalized": finalized,
  "design.cart_added": { ...finalized, cart_locked: true },
  "design.shared": finalized,
  ...changes("asset", asset, { ...asset, category: "Vehicles", ...later }),
  ...changes("font", font, { ...font, category: "Slab serif", ...later }),
  "bulk_order.created": { ...bulk_order, status: "pending" },
  "bulk_order.updated": { ...bulk_order, status: "processing" },
  "bulk_order.completed": bulk_order,
  "print_file.generated": print_file,
  "mockup.generated": mockup,
  ...changes("pricing_rule", pricing_rule, { ...pricing_rule, active: false, ...later }),
  ...changes("printing_method", printing_method, { ...printing_method, settings: { max_colors: 8 }, ...later }),
  "webhook_endpoint.disabled": webhook_endpoint,
} satisfies { readonly [Name in EventName]: (typeof Event.data)[Name]["Type"] }

/** The sample of an event: what `data` of its envelope may look like. */
export const of = <Name extends EventName>(event: Name): (typeof Event.data)[Name]["Type"] => samples[event]
