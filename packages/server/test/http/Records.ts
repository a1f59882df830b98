/** Records for tests to start from: what each resource requires, and nothing else. */
import type { Service } from "./Service.ts"

export const store = { name: "Riverside Prints", platform: "swell" }
export const asset = { name: "Paper Plane", asset_type: "clipart" }
export const area = { name: "Front", width_px: 3600, height_px: 4800 }
export const endpoint = { url: "https://example.com/webhooks", events: ["*"] }

/** The ids of a store, a product, a template and a design that belong together. */
export const seed = async (service: Service, as?: string) => {
  const create = async (path: string, body: object) =>
    (await service.post(`/api/v1/${path}`, body, as)).body["id"] as string
  const store_id = await create("stores", store)
  const product_id = await create("products", { name: "T-Shirt", store_id })
  const template_id = await create("templates", { name: "Birthday", store_id })
  const design_id = await create("designs", { product_id })
  return { store_id, product_id, template_id, design_id }
}

/** An id that no record has. */
export const nobody = "019a3f5e-7c10-7d42-9b6e-5f21c08a4eff"
