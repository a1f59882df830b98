import { assert, describe, it } from "@effect/vitest"
import * as Secret from "../src/Secret.ts"
import * as Signer from "../src/Signer.ts"
import { brandSignature, current, id, now, plain, previous, standardSignature } from "./Vector.ts"
import { verifiers } from "./Verifiers.ts"

const attempt: Signer.Attempt = { id, event: "design.finalized", timestamp: now, body: plain }

const signers: ReadonlyArray<
  readonly [
    name: string,
    headers: (
      attempt: Signer.Attempt,
      secret: string | readonly string[],
      options?: Signer.Options,
    ) => Promise<Readonly<Record<string, string>>>,
  ]
> = [
  ["Signer.make", async (attempt, secret, options) => Signer.make(secret, options).headers(attempt)],
  ["Signer.headers", Signer.headers],
]

describe.each(signers)("%s", (_, headers) => {
  it("writes every header of a delivery", async () => {
    assert.deepStrictEqual(await headers(attempt, current), {
      "Content-Type": "application/json",
      "User-Agent": "Service-Webhooks/1.0",
      "X-Service-Event": "design.finalized",
      "X-Service-Delivery": id,
      "X-Service-Timestamp": `${now}`,
      "X-Service-Signature": brandSignature(),
      "webhook-id": id,
      "webhook-timestamp": `${now}`,
      "webhook-signature": standardSignature(),
    })
  })

  it("names the brand it is told", async () => {
    assert.deepStrictEqual(Object.keys(await headers(attempt, current, { brand: "Tee-Craft2" })).slice(2, 6), [
      "X-Tee-Craft2-Event",
      "X-Tee-Craft2-Delivery",
      "X-Tee-Craft2-Timestamp",
      "X-Tee-Craft2-Signature",
    ])
    assert.strictEqual((await headers(attempt, current, { brand: "Acme" }))["User-Agent"], "Acme-Webhooks/1.0")
  })

  const of = (body: string | Uint8Array) => headers({ ...attempt, body }, current)

  it("signs bytes as it signs the text they encode", async () => {
    const text = '{"name":"Käse 👩‍🎨 \u2028"}'
    assert.deepStrictEqual(await of(Buffer.from(text)), await of(text))
    assert.strictEqual((await of(text))["X-Service-Signature"], brandSignature(text))
    assert.strictEqual((await of(text))["webhook-signature"], standardSignature(text))
  })

  it("signs bytes that are no text", async () => {
    const body = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    assert.strictEqual((await of(body))["X-Service-Signature"], brandSignature(body))
  })

  it("signs with every secret", async () => {
    const signed = await headers(attempt, [current, previous])
    assert.strictEqual(signed["X-Service-Signature"], `${brandSignature()},${brandSignature(plain, previous)}`)
    assert.strictEqual(signed["webhook-signature"], `${standardSignature()} ${standardSignature(plain, previous)}`)
  })

  it.each([[[]], [""], ["whsec_"], ["secret"], [[current, "secret"]], [current.slice(6)]])(
    "does not sign with %j",
    async (secret) => {
      const error = await headers(attempt, secret).catch((error: unknown) => error)
      assert.instanceOf(error, TypeError)
      assert.notInclude(String(error), current)
    },
  )

  it.each(["", " ", "a b", "a:", "a\r\nb", "1", "é", "-"])("does not put the brand %j into a header", async (brand) => {
    assert.instanceOf(await headers(attempt, current, { brand }).catch((error: unknown) => error), TypeError)
  })

  it.each(verifiers)("makes what verify with %s accepts", async (_, verify) => {
    const secret = Secret.make()
    const options = { now: now * 1000, brand: "Acme" }
    const all = await headers(attempt, secret, options)
    const standard = Object.fromEntries(Object.entries(all).filter(([name]) => name.startsWith("webhook-")))
    assert.isTrue((await verify({ headers: all, body: plain }, secret, options)).ok)
    assert.isTrue((await verify({ headers: standard, body: plain }, secret, options)).ok)
  })
})

it("the signature of Standard Webhooks is that of its documentation", async () => {
  const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1614265330, body: '{"test": 2432232314}' }
  const signatures = await Signer.sign(message, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
  assert.strictEqual(signatures.standard, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
})
