/** Which targets are refused where private addresses are not allowed, as they are not unless the operator says so. */
import { afterAll, assert, it } from "vitest"
import { connect, unique } from "./Api.ts"
import * as Server from "./Server.ts"

const server = await Server.start({ TC_STORE: "memory", TC_WEBHOOK_ALLOW_PRIVATE: "" })
afterAll(server.stop)
const api = connect(server.url, server.key)
const events = ["store.created"]

const hosts = `
  localhost localhost. a.localhost LOCALHOST 127.0.0.1 127.1 0x7f.1 2130706433 0.0.0.0 10.0.0.1 172.16.0.1 192.168.1.1
  100.64.0.1 169.254.169.254 224.0.0.1 255.255.255.255 [::1] [::] [fc00::1] [fe80::1] [ff02::1] [::ffff:127.0.0.1]
  [64:ff9b::10.0.0.1] [2002:7f00:1::]`
const refused = [
  "http://receiver.example/",
  "https://user@receiver.example/",
  "https://user:password@receiver.example/",
  ...hosts
    .trim()
    .split(/\s+/)
    .map((host) => `https://${host}/`),
]

for (const url of refused) {
  it(`${url} is refused`, async () => {
    assert.deepStrictEqual(await api.wrong("POST", "webhook_endpoints", { url, events }), ["/url"])
  })
}

it("so it is in a PATCH, which leaves the endpoint as it was", async () => {
  const { secret: _, ...endpoint } = await api.create("webhook_endpoints", {
    url: `https://a.example/${unique()}`,
    events,
  })
  const refusal = await api.wrong("PATCH", `webhook_endpoints/${endpoint.id}`, {
    url: refused.at(-1),
  })
  assert.deepStrictEqual(refusal, ["/url"])
  assert.deepStrictEqual((await api.list("webhook_endpoints")).data, [endpoint])
})

it("https to a public host is taken, on any port", async () => {
  for (const url of [
    "https://receiver.example/hooks?a=1",
    "https://receiver.example:8443",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/",
  ]) {
    assert.strictEqual((await api.create("webhook_endpoints", { url, events })).url, url)
  }
})
