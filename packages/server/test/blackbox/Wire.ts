/** Bytes that no HTTP client would send. The connection may end; the answer still has the form of all answers. */
import { connect as open } from "node:net"
import { assert, it } from "vitest"
import { connect, type Json } from "./Api.ts"
import type { Server } from "./Server.ts"

/** Sends bytes as they are, and reads until the server hangs up. */
const send = (server: Server, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    let answer = ""
    const socket = open(Number(port), hostname, () => socket.write(bytes, "latin1"))
    socket.on("data", (chunk) => (answer += chunk.toString()))
    socket.on("error", reject).on("close", () => resolve(answer))
  })

const parse = (answer: string) => {
  const [head = "", body = ""] = answer.split("\r\n\r\n")
  const request_id = /^x-request-id: (\S+)$/im.exec(head)?.[1]
  const json: Json = body.startsWith("{") ? JSON.parse(body) : {}
  return { status: Number(head.split(" ")[1]), json, request_id }
}

export const wire = (server: Server): void => {
  const api = connect(server.url, server.key)
  const authorized = `Host: a\r\nAuthorization: Bearer ${server.key}\r\nConnection: close\r\n`
  const post = `POST /api/v1/assets HTTP/1.1\r\n${authorized}Content-Type: application/json\r\n`
  const refused: Readonly<Record<string, readonly [bytes: string, status: number]>> = {
    "bytes that are no HTTP": ["hello\r\n\r\n", 400],
    "two lengths that differ": [`${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, 400],
    "a length and chunks": [`${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    "chunks that are none": [`${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`, 400],
    "headers without end": [`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${"a".repeat(40_000)}\r\n\r\n`, 431],
    "no host": ["GET /api/v1/stores HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    "an expectation that nobody meets": [`${post}Expect: tea\r\nContent-Length: 2\r\n\r\n{}`, 417],
  }

  for (const [name, [bytes, expected]] of Object.entries(refused)) {
    it(`${expected}: ${name}`, async () => {
      const { json, request_id, status } = parse(await send(server, bytes))
      assert.strictEqual(status, expected)
      assert.containsAllKeys(json, ["error", "message", "code", "request_id"])
      assert.strictEqual(request_id, json.request_id, "every response carries X-Request-Id")
    })
  }

  it("400: text that is not UTF-8, which could only be kept as something else", async () => {
    const body = '{"name":"\xff\xfe","asset_type":"clipart"}'
    const { json, status } = parse(await send(server, `${post}Content-Length: ${body.length}\r\n\r\n${body}`))
    assert.deepStrictEqual([status, json.code], [400, "malformed_json"])
  })

  it("413: a body that says that it is too large, before it is sent", async () => {
    for (const expectation of ["", "Expect: 100-continue\r\n"]) {
      const { json, status } = parse(await send(server, `${post}${expectation}Content-Length: 20000000\r\n\r\n`))
      assert.deepStrictEqual([status, json.code], [413, "payload_too_large"])
    }
  })

  it("a body that waits to be asked for is asked for", async () => {
    const body = JSON.stringify({ name: "Star", asset_type: "clipart" })
    const answer = await send(server, `${post}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    assert.match(answer, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 Created\r\n/)
  })

  it("a wish for another protocol is passed over, and the body taken", async () => {
    const body = JSON.stringify({ name: "Star", asset_type: "clipart" })
    const chunked = `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    for (const protocol of ["h2c", "websocket"]) {
      for (const sent of [`Content-Length: ${body.length}\r\n\r\n${body}`, chunked]) {
        const wish = post.replace("Connection: close", `Connection: Upgrade, close\r\nUpgrade: ${protocol}`)
        const { json, status } = parse(await send(server, `${wish}${sent}`))
        assert.deepStrictEqual([status, json.name], [201, "Star"])
      }
    }
    const get = "GET /health/live HTTP/1.1\r\nHost: a\r\n"
    const both = await send(server, `${get}\r\n${get}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`)
    assert.strictEqual(both.split("HTTP/1.1 200").length - 1, 2)
  })

  it("several requests at once are answered in their order", async () => {
    const ids = ["a", "b", "c"]
    const requests = ids.map((id, index) => {
      const connection = index === ids.length - 1 ? "Connection: close\r\n" : ""
      return `GET /health/live HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${id}\r\n${connection}\r\n`
    })
    const answer = await send(server, requests.join(""))
    assert.deepStrictEqual(
      [...answer.matchAll(/^x-request-id: (\S+)$/gim)].map(([, id]) => id),
      ids,
    )
  })

  it("a connection may idle for longer than load balancers let it", async () => {
    const { headers } = await api.request("GET", "stores")
    assert.strictEqual(headers.get("keep-alive"), "timeout=75")
  })

  it("HEAD is answered as GET is, without the body", async () => {
    const { headers, status, text } = await api.request("HEAD", "stores")
    assert.deepStrictEqual([status, text, headers.get("content-type")], [200, "", "application/json"])
  })
}
