import { assert, describe, it } from "@effect/vitest"
import { Device, Session } from "../src/index.ts"

const ada = { email: "ada@example.com", password_hash: "$scrypt$ln=15,r=8,p=3$c2FsdA$aGFzaA" }
const NOW = Date.parse("2026-11-22T12:00:00Z")
const id = Session.fromBytes(new Uint8Array(Session.TOKEN_BYTES).fill(7))
const device = Device.make(ada, id, NOW)
const [ends_at = "", , seal = ""] = device.split(".")

describe("a known device", () => {
  it("is one of the member who signed in, until its time is over", () => {
    assert.isTrue(Device.isDevice(device))
    assert.strictEqual(Device.idOf(device, ada, NOW), id)
    assert.strictEqual(Device.idOf(device, ada, NOW + Device.LASTS_MS - 1), id)
    assert.isNull(Device.idOf(device, ada, NOW + Device.LASTS_MS))
  })

  it.each([
    ["another member", device, { ...ada, email: "eve@example.com" }],
    ["another password", device, { ...ada, password_hash: "$scrypt$ln=15,r=8,p=3$c2FsdA$b3RoZXI" }],
    ["no password", device, { ...ada, password_hash: "" }],
    ["a later end", `${Number(ends_at) + 1}.${id}.${seal}`, ada],
    ["another id", `${ends_at}.${"A".repeat(43)}.${seal}`, ada],
    ["another seal", `${ends_at}.${id}.${"0".repeat(64)}`, ada],
    ["nothing", "", ada],
    ["a text of another form", "x".repeat(9_000), ada],
  ])("is none with %s", (_, text, member) => {
    assert.isNull(Device.idOf(text, member, NOW))
  })
})
