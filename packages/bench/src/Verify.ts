/** The figure of verification: deliveries verified per second, awaited one by one, ours against `standardwebhooks`. */
import { verify } from "@tc/webhooks/verify"
import { createHmac, randomBytes } from "node:crypto"
import { Webhook } from "standardwebhooks"
import * as Figure from "./Figure.ts"
import * as Uuid from "./Uuid.ts"

/** The length of a round, in milliseconds. */
const length = 500

const mac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text)

/** A delivery of so many bytes as it arrives, with its own headers and those of Standard Webhooks. */
const delivery = (secret: string, bytes: number) => {
  const id = Uuid.v7()
  const envelope = { id, event: "design.finalized", data: { canvas_data: "" } }
  const canvas_data = "x".repeat(bytes - JSON.stringify(envelope).length)
  const body = JSON.stringify({ ...envelope, data: { canvas_data } })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const headers = {
    "content-type": "application/json",
    "x-service-event": envelope.event,
    "x-service-delivery": id,
    "x-service-timestamp": timestamp,
    "x-service-signature": `sha256=${mac(secret, `${timestamp}.${body}`).digest("hex")}`,
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${mac(Buffer.from(secret.slice(6), "base64"), `${id}.${timestamp}.${body}`).digest("base64")}`,
  }
  return { headers, body }
}

const rate = async (once: () => unknown): Promise<number> => {
  const start = performance.now()
  let times = 0
  let elapsed = 0
  for (; elapsed < length; elapsed = performance.now() - start) {
    for (let repeat = 0; repeat < 50; repeat++) await once()
    times += 50
  }
  return (times / elapsed) * 1000
}

/** Measures bodies of 1 KiB and 64 KiB; yields a line for each. Both sides return the parsed body. */
export async function* figures(): AsyncGenerator<string> {
  const secret = `whsec_${randomBytes(32).toString("base64")}`
  const webhook = new Webhook(secret)
  for (const kib of [1, 64]) {
    const theirs = () => {
      const { headers, body } = delivery(secret, kib * 1024)
      return rate(() => webhook.verify(body, headers))
    }
    const ours = () => {
      const request = delivery(secret, kib * 1024)
      return rate(async () => {
        if (!(await verify(request, secret)).ok) throw new Error("a good delivery was refused")
      })
    }
    yield Figure.line({
      name: `verify, ${kib} KiB`,
      unit: "/s",
      target: { ratio: 1 },
      ...(await Figure.alternate(theirs, ours)),
    })
  }
}
