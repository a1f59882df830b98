/** JSON schemas of a product for the twin: what a create accepts, what every answer holds. */

const uuid = { type: "string", format: "uuid" } as const
const text = { type: ["string", "null"], maxLength: 65_535 } as const
const url = { type: ["string", "null"], maxLength: 2_048, format: "uri", pattern: "^https?://" } as const

/** The body of POST /products. */
export const create = {
  type: "object",
  required: ["name", "store_id"],
  properties: {
    id: uuid,
    name: { type: "string", minLength: 1, maxLength: 255 },
    description: text,
    store_id: uuid,
    customizable: { type: "boolean" },
    base_image_url: url,
    variants: { type: "array" },
  },
} as const

/** One product in an answer. */
export const product = {
  type: "object",
  properties: {
    id: uuid,
    account_id: uuid,
    name: { type: "string" },
    description: text,
    store_id: uuid,
    customizable: { type: "boolean" },
    base_image_url: { type: ["string", "null"] },
    variants: { type: "array", items: {} },
    created_at: { type: "string", format: "date-time" },
    updated_at: { type: "string", format: "date-time" },
  },
} as const

/** One page of products. */
export const page = {
  type: "object",
  properties: {
    data: { type: "array", items: product },
    meta: {
      type: "object",
      properties: {
        page: { type: "integer" },
        per_page: { type: "integer" },
        total: { type: "integer" },
        total_pages: { type: "integer" },
      },
    },
  },
} as const

/** The query of GET /products: strings, as the body's types must not be coerced either. */
export const query = {
  type: "object",
  properties: {
    page: { type: "string", pattern: "^[1-9][0-9]{0,8}$" },
    per_page: { type: "string", pattern: "^[1-9][0-9]{0,8}$" },
    q: { type: "string" },
  },
} as const
