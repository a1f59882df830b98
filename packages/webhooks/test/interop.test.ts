import { assert, describe, it } from "@effect/vitest"
import { Webhook as StandardWebhook } from "standardwebhooks"
import { Stripe } from "stripe"
import { Webhook as SvixWebhook } from "svix"
import * as Secret from "../src/Secret.ts"
import * as Signer from "../src/Signer.ts"
import { verify } from "../src/verify.ts"
import { envelope, id } from "./Vector.ts"

const [secret, old] = [Secret.make(), Secret.make()]
const body = envelope({ name: "Käse 👩‍🎨" })
const event = JSON.parse(body)
// None of these libraries can be told the time.
const timestamp = Math.floor(Date.now() / 1000)
const attempt = { id, event: "design.finalized", timestamp, body }
const headers = { ...Signer.make(secret).headers(attempt) }
const rotating = { ...Signer.make([secret, old]).headers(attempt) }

/** The header of Stripe, out of ours. */
const stripeHeader = (headers: Readonly<Record<string, string>>) =>
  `t=${headers["X-Service-Timestamp"]},${headers["X-Service-Signature"]?.replaceAll("sha256=", "v1=")}`
const stripe = new Stripe("sk_test")

describe("a delivery", () => {
  it("is verified by standardwebhooks", () => {
    assert.deepStrictEqual(new StandardWebhook(secret).verify(body, headers), event)
  })

  it("is verified by svix", () => {
    assert.doesNotThrow(() => new SvixWebhook(secret).verify(body, headers))
  })

  it("is verified by stripe", () => {
    assert.deepStrictEqual(stripe.webhooks.constructEvent(body, stripeHeader(headers), secret), event)
  })

  it.each([
    ["new", secret],
    ["old", old],
  ])("signed with two secrets is verified by all of them with the %s one", (_, secret) => {
    assert.deepStrictEqual(new StandardWebhook(secret).verify(body, rotating), event)
    assert.doesNotThrow(() => new SvixWebhook(secret).verify(body, rotating))
    assert.deepStrictEqual(stripe.webhooks.constructEvent(body, stripeHeader(rotating), secret), event)
  })

  it("is refused by all of them with another secret", () => {
    const other = Secret.make()
    assert.throws(() => new StandardWebhook(other).verify(body, headers))
    assert.throws(() => new SvixWebhook(other).verify(body, headers))
    assert.throws(() => stripe.webhooks.constructEvent(body, stripeHeader(headers), other))
  })
})

describe("verify", () => {
  it.each([
    ["standardwebhooks", new StandardWebhook(secret)],
    ["svix", new SvixWebhook(secret)],
  ])("accepts what %s signed", async (_, webhook) => {
    const signature = webhook.sign(id, new Date(timestamp * 1000), body)
    const headers = { "webhook-id": id, "webhook-timestamp": `${timestamp}`, "webhook-signature": signature }
    assert.deepStrictEqual(await verify({ headers, body }, secret), { ok: true, event })
  })

  it("accepts what stripe signed", async () => {
    const header = stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp })
    const headers = {
      "x-stripe-timestamp": /t=(\d+)/.exec(header)?.[1],
      "x-stripe-signature": header.replace(/.*v1=/, "sha256="),
    }
    assert.deepStrictEqual(await verify({ headers, body }, secret, { brand: "Stripe" }), { ok: true, event })
  })
})
