/** The figures of the HTTP API: reading and creating a product, requests per second, ours against the Fastify twin. */
import * as Database from "./Database.ts"
import * as Figure from "./Figure.ts"
import * as HttpApi from "./HttpApi.ts"
import * as Load from "./Load.ts"

/** The length of a round. */
const seconds = 2

const product = {
  name: "Heavyweight Cotton Hoodie",
  description: 'A hoodie that says "yours": brushed inside, two print areas, made to order.',
  customizable: true,
  base_image_url: "https://images.example.com/products/heavyweight-cotton-hoodie/front-2048.png",
  variants: [
    { size: "M", color: "navy", sku: "HCH-M-NVY" },
    { size: "L", color: "navy", sku: "HCH-L-NVY" },
  ],
}

const get = ({ url, key, product: id }: HttpApi.HttpApi): Load.Request => ({
  method: "GET",
  url: `${url}/api/v1/products/${id}`,
  headers: { authorization: `Bearer ${key}` },
})

const create = ({ url, key, store }: HttpApi.HttpApi): Load.Request => ({
  method: "POST",
  url: `${url}/api/v1/products`,
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  body: JSON.stringify({ ...product, store_id: store }),
})

/** Measures a GET and a validated POST; yields a line for each. */
export async function* figures(ours: string | undefined): AsyncGenerator<string> {
  const contenders = [import.meta.resolve("./FastifyTwin.ts"), ...(ours === undefined ? [] : [ours])]
  const [twin, own] = await Promise.all(
    contenders.map(async (module) => HttpApi.start(module, await Database.create())),
  )
  for (const [name, request] of [
    ["GET /api/v1/products/:id", get],
    ["POST /api/v1/products", create],
  ] as const) {
    const rounds = await Figure.alternate(
      () => Load.run(request(twin!), seconds),
      own && (() => Load.run(request(own), seconds)),
    )
    const pick = (key: keyof Load.Measured) => ({
      reference: rounds.reference.map((measured) => measured[key]),
      ours: rounds.ours.map((measured) => measured[key]),
    })
    yield Figure.line({ name, unit: "/s", target: { ratio: 0.8 }, ...pick("rate") })
    yield Figure.line({ name: "  latency p50", unit: "ms", ...pick("p50") })
    yield Figure.line({ name: "  latency p99", unit: "ms", ...pick("p99") })
  }
  for (const api of [twin, own]) await api?.stop()
}
