import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer, request, type IncomingMessage, type RequestListener } from "node:http"
import { stripTypeScriptTypes } from "node:module"
import type { AddressInfo } from "node:net"
import { arrayBuffer } from "node:stream/consumers"
import { compileFunction } from "node:vm"
import { assert, describe, it } from "@effect/vitest"
import express from "express"
import Fastify from "fastify"
import { Hono } from "hono"
import * as Signer from "../src/Signer.ts"
import { verify } from "../src/verify.ts"
import { current, envelope, id } from "./Vector.ts"

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
const given = { Fastify, Hono, arrayBuffer, createServer, express, secret: current, verify }

/** Runs the recipe under a heading of the README, and gives what it calls `name`. */
const recipe = (heading: string, name: string) => {
  const [, block = ""] = new RegExp(`\\*\\*${heading}.*?\`\`\`ts\n(.*?)\`\`\``, "s").exec(readme) ?? []
  const code = stripTypeScriptTypes(block).replaceAll(/^export (default )?/gm, "")
  return compileFunction(`${code}; return ${name}`, Object.keys(given))(...Object.values(given))
}

type Send = (headers: Readonly<Record<string, string>>, body: string) => Promise<number | undefined>

/** What sends to a server that is made for this one request. */
const over =
  (listener: () => RequestListener | Promise<RequestListener>): Send =>
  async (headers, body) => {
    const server = createServer(await listener())
    await once(server.listen(0, "127.0.0.1"), "listening")
    const { port } = server.address() as AddressInfo
    const to = request({ host: "127.0.0.1", port, path: "/webhooks", method: "POST", headers })
    to.end(body)
    const [{ statusCode }] = (await once(to, "response")) as [IncomingMessage]
    to.destroy()
    server.close()
    return statusCode
  }

const lambda: (isBase64Encoded: boolean) => Send = (isBase64Encoded) => async (headers, body) => {
  const event = { headers, body: isBase64Encoded ? Buffer.from(body).toString("base64") : body, isBase64Encoded }
  return (await recipe("AWS Lambda", "handler")(event)).statusCode
}

/** The response that Next.js adds to Node's, as far as the recipe uses it. */
const next: RequestListener = (request, response) =>
  recipe("Next.js pages", "handler")(
    request,
    Object.assign(response, { status: (status: number) => response.writeHead(status) }),
  )

const recipes: ReadonlyArray<readonly [name: string, send: Send]> = [
  [
    "Fetch",
    async (headers, body) =>
      (await recipe("Fetch", "app").request("http://localhost/webhooks", { method: "POST", headers, body })).status,
  ],
  ["Express", over(() => recipe("Express", "app"))],
  [
    "Fastify",
    over(async () => {
      const app = recipe("Fastify", "app")
      await app.ready()
      return app.routing
    }),
  ],
  ["Node", over(() => recipe("Node", "server").listeners("request")[0])],
  ["Next.js", over(() => next)],
  ["AWS Lambda", lambda(false)],
  ["AWS Lambda in base64", lambda(true)],
]

describe.each(recipes)("the recipe for %s", (_, send) => {
  const deliver = (body: string, signed = body) => {
    const timestamp = Math.floor(Date.now() / 1000)
    return send(Signer.make(current).headers({ id, event: "design.finalized", body: signed, timestamp }), body)
  }

  it("takes the largest of deliveries", async () => {
    assert.strictEqual(await deliver(envelope({ canvas_data: "a".repeat(12 * 1024 * 1024) })), 204)
  })

  it("takes text that is not ASCII", async () => {
    assert.strictEqual(await deliver(envelope({ name: "Käse 👩‍🎨" })), 204)
  })

  it("refuses what was changed", async () => {
    assert.strictEqual(await deliver(envelope({ a: 1 }), envelope({ a: 2 })), 401)
  })
})
