/** What is true of every delivery: its headers, its signatures, its envelope. */
import { verify } from "@tc/webhooks/verify"
import { createHmac } from "node:crypto"
import { assert } from "vitest"
import type { Seen } from "./Receiver.ts"

/** The headers of every delivery, in the case in which they are sent; those of HTTP itself are left out. */
const names = [
  "Content-Type",
  "User-Agent",
  "X-Service-Event",
  "X-Service-Delivery",
  "X-Service-Timestamp",
  "X-Service-Signature",
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
]
const ofHttp = ["host", "connection", "content-length", "accept-encoding"]

const hmac = (key: string | Uint8Array, signed: string) => createHmac("sha256", key).update(signed)

/** Checks a delivery as a receiver with the endpoint's secret would, and as the contract has it. */
export const checkSigned = async (seen: Seen, secret: string): Promise<true> => {
  const { body, headerNames, headers, method, text } = seen
  assert.strictEqual(method, "POST")
  assert.deepStrictEqual(
    headerNames.filter((name) => !ofHttp.includes(name.toLowerCase())).toSorted(),
    names.toSorted(),
  )
  assert.deepStrictEqual(Object.keys(body), ["id", "event", "account_id", "occurred_at", "api_version", "data"])
  assert.match(body.occurred_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.match(body.api_version, /^\d{4}-\d\d$/)

  const timestamp = headers["x-service-timestamp"]
  assert.match(String(timestamp), /^\d{10}$/)
  assert.isBelow(Math.abs(Number(timestamp) * 1000 - seen.at), 60_000)
  const standardKey = Buffer.from(secret.slice("whsec_".length), "base64")
  assert.deepInclude(headers, {
    "content-type": "application/json",
    "user-agent": "Service-Webhooks/1.0",
    "x-service-event": body.event,
    "x-service-delivery": body.id,
    "x-service-signature": `sha256=${hmac(secret, `${String(timestamp)}.${text}`).digest("hex")}`,
    "webhook-id": body.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${hmac(standardKey, `${body.id}.${String(timestamp)}.${text}`).digest("base64")}`,
  })
  // As its receiver did when it came, whenever this is looked at.
  const now = { now: seen.at }
  assert.deepStrictEqual(await verify({ headers, body: text }, secret, now), { ok: true, event: body })
  const forged = await verify({ headers, body: text.replace("{", "{ ") }, secret, now)
  assert.deepStrictEqual(forged, { ok: false, reason: "signature_mismatch" })
  return true
}
