/** What every event of the benchmarks carries: a product as the API answers it, with the number of the event in its name. */

const product = {
  id: "0198a3f0-7c1e-7b6a-9d55-2f1c8e4b7a10",
  account_id: "0198a3f0-7c1e-7b6a-9d55-000000000001",
  description: 'A hoodie that says "yours": brushed inside, two print areas, made to order. '.repeat(6).trim(),
  store_id: "0198a3f0-7c1e-7b6a-9d55-000000000002",
  customizable: true,
  base_image_url: "https://images.example.com/products/heavyweight-cotton-hoodie/front-2048.png",
  variants: [{ size: "M", color: "navy", sku: "HCH-M-NVY" }],
  created_at: "2026-11-21T09:00:00.000Z",
  updated_at: "2026-11-21T09:00:00.000Z",
}

/** The data of one event. */
export type Payload = typeof product & { readonly name: string }

/** The name of the event. */
export const event = "product.updated"

/** The data of event number `n`: about 1 KiB of JSON when enveloped. */
export const make = (n: number): Payload => ({ ...product, name: `Heavyweight Cotton Hoodie no. ${n}` })

const pattern = /Hoodie no\. (\d+)/

/** The number of the event that a delivery's body carries; -1 where there is none. */
export const numberOf = (body: string): number => Number(pattern.exec(body)?.[1] ?? -1)
