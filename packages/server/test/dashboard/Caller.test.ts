/** Where tries are counted, and which requests come from our own page. */
import { assert, describe, it } from "@effect/vitest"
import { HttpServerRequest } from "effect/http"
import * as Caller from "../../src/dashboard/Caller.ts"
import { defaults } from "../../src/dashboard/DashboardSettings.ts"

const request = (headers: Readonly<Record<string, string>>) =>
  HttpServerRequest.fromWeb(new Request("http://tc.example/", { headers }))

const addressOf = (forwarded: string) =>
  Caller.addressOf(request({ "x-forwarded-for": forwarded }), { ...defaults, trust_proxy: true })

describe("an address", () => {
  it.each([
    ["203.0.113.9", "203.0.113.9"],
    ["10.0.0.1, 203.0.113.9", "203.0.113.9"],
    ["203.0.113.9:4711", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["::ffff:cb00:7109", "203.0.113.9"],
    ["::ffff:7f00:1", "127.0.0.1"],
    ["0:0:0:0:0:FFFF:CB00:7109", "203.0.113.9"],
    ["[::ffff:cb00:7109]:4711", "203.0.113.9"],
    ["::ffff:0:cb00:7109", "203.0.113.9"],
    ["64:ff9b::203.0.113.9", "203.0.113.9"],
    ["2001:0db8:0001:0002:0000::9", "2001:db8:1:2"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8:1:2::9", "2001:db8:1:2"],
    ["[2001:db8:1:2::9]:4711", "2001:db8:1:2"],
    ["2001:DB8::9", "2001:db8:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["::1", "0:0:0:0"],
    ["203.0.113.9,", "unknown"],
    ["x".repeat(9_000), "unknown"],
    ["1:2", "unknown"],
  ])("that a proxy gives as %s is counted under %s", (forwarded, counted) => {
    assert.strictEqual(addressOf(forwarded), counted)
  })

  it.each([
    ["2001:db8:1:2", "2001:db8:1"],
    ["203.0.113.9", null],
    ["unknown", null],
  ])("that is counted under %s is of the site %s", (address, site) => {
    assert.strictEqual(Caller.siteOf(address), site)
  })

  it("is not taken from a header where no proxy is trusted", () => {
    assert.strictEqual(Caller.addressOf(request({ "x-forwarded-for": "203.0.113.9" }), defaults), "unknown")
  })
})

describe("a request", () => {
  it.each([
    [{ host: "tc.example", origin: "http://tc.example" }, true],
    [{ host: "TC.example:80", origin: "http://tc.example:8080" }, false],
    [{ host: "tc.example", origin: "null" }, false],
    [{ origin: "null" }, false],
    [{ host: "tc.example" }, false],
  ])("with %j comes from our own page: %j", (headers, is) => {
    const made = HttpServerRequest.fromWeb(new Request("http://tc.example/"))
    const given = made.modify({ headers: Object.assign(Object.create(Object.getPrototypeOf(made.headers)), headers) })
    assert.strictEqual(Caller.isSameOrigin(given, defaults), is)
  })
})
