/** What the page says and decides about endpoints and deliveries by itself, without a browser. */
import { describe, expect, it } from "vitest"
import { pretty } from "../src/deliveries/Body.tsx"
import { curl } from "../src/deliveries/Curl.ts"
import { said } from "../src/deliveries/Outcome.tsx"
import { deliverySearch } from "../src/deliveries/Search.ts"
import { wrongRate } from "../src/webhook_endpoints/Settings.ts"
import { objectOf } from "../src/webhook_endpoints/Test.tsx"
import { failures, isForTrying, wrongUrl } from "../src/webhook_endpoints/WebhookEndpoints.ts"

describe("a webhook endpoint", () => {
  it.each([
    "https://example.com/webhooks",
    "http://localhost:3000/webhooks",
    "http://receiver:3000",
    "http://[::1]:3000",
  ])("takes %s", (url) => {
    expect(wrongUrl(url)).toBeNull()
  })

  it.each([
    ["example.com", "Start with https://"],
    ["https:///example.com", "no complete URL"],
    ["https://exam ple.com", "no complete URL"],
  ])("does not take %s, and says why", (url, wrong) => {
    expect(wrongUrl(url)).toContain(wrong)
  })

  it("is for trying things out without TLS, or on the server's own machine", () => {
    const urls = ["http://127.0.0.1", "https://localhost", "http://receiver:3000", "https://localhost.example.com"]
    expect(urls.map(isForTrying)).toEqual([true, true, true, false])
  })

  it("takes 1 to 1,000 deliveries per second, or no such limit", () => {
    expect(["", "1", "1000"].map(wrongRate)).toEqual([null, null, null])
    expect(["0", "1001", "1.5"].map(wrongRate)).not.toContain(null)
  })

  it("counts its failures", () => {
    expect([failures(1), failures(3)]).toEqual(["1 failure", "3 failures in a row"])
  })

  it("is sent as a test only what is a JSON object", () => {
    expect(objectOf('{"a":1}')).toEqual({ a: 1 })
    expect(["[1]", "null", "1", "{"].map(objectOf)).toEqual([undefined, undefined, undefined, undefined])
  })
})

describe("a delivery", () => {
  it("is one command of the shell, whatever quotes are in it", () => {
    const command = curl("https://example.com/?a='", { attempts: [] }, `{"it's":1}`)
    expect(command).toContain(String.raw`-X POST 'https://example.com/?a='\'''`)
    expect(command).toContain(String.raw`printf '%s' '{"it'\''s":1}' |`)
    expect(command).toContain("'Content-Type: application/json'")
  })

  it("says why an attempt had no answer, or which it had", () => {
    expect(said({ status_code: 500, error: null })).toBe("Answered with status 500.")
    expect(said({ status_code: null, error: "connection_refused" })).toContain("refused")
  })

  it("shows a body in lines, and one that is no JSON as it is", () => {
    expect([pretty('{"a":1}'), pretty("{")]).toEqual(['{\n  "a": 1\n}', "{"])
  })

  it("keeps of an address only what makes sense", () => {
    const search = { page: 1, status: "lost", event: "store.created", endpoint_id: "" }
    expect(deliverySearch(search)).toEqual({ event: "store.created" })
  })
})
