/** What the page says and decides by itself, without a browser. */
import { describe, expect, it } from "vitest"
import { expiryOf, type Key, statusOf, wrongDate } from "../src/api_keys/ApiKeys.ts"
import { Failure } from "../src/Api.ts"
import { auditSearch } from "../src/audit/Search.ts"
import { counted } from "../src/parts/Count.ts"
import { ago, utc } from "../src/parts/Time.tsx"
import { fieldErrors, waiting } from "../src/parts/Problem.tsx"
import { wrongEmail, wrongPassword } from "../src/session/Session.ts"
import { tokenIn } from "../src/session/SignUp.tsx"

const NOW = Date.parse("2026-11-22T12:00:00.000Z")
const DAY = 86_400_000
const at = (ms: number) => new Date(NOW + ms).toISOString()
const key = (ends: { expires_at?: string; revoked_at?: string }) =>
  ({ expires_at: null, revoked_at: null, ...ends }) as Key

describe("a count", () => {
  it.each([
    [counted(1, "attempt"), "1 attempt"],
    [counted(1_200, "attempt"), "1,200 attempts"],
    [counted(0, "delivery", "deliveries"), "0 deliveries"],
  ])("is told as %s", (told, expected) => {
    expect(told).toBe(expected)
  })
})

describe("a password", () => {
  it("has to be of more than a few characters", () => {
    expect(wrongPassword("a".repeat(12))).toContain("5 different")
    expect(wrongPassword("abcdeabcdeab")).toBeNull()
  })
})

describe("a token", () => {
  it.each([
    "T0ken_-1",
    " T0ken_-1 \n",
    "https://tc.example/dashboard/sign-up#T0ken_-1",
    "…/sign-up#T0ken_-1 (works once)",
  ])("is found in what is pasted: %s", (pasted) => {
    expect(tokenIn(pasted)).toBe("T0ken_-1")
  })

  it("is not found where there is none", () => {
    expect(["", "  ", "https://tc.example/#"].map(tokenIn)).toEqual(["", "", ""])
  })
})

describe("times", () => {
  it.each([
    [-1_000, "just now"],
    [-61_000, "1 minute ago"],
    [-3 * 3_600_000, "3 hours ago"],
    [-DAY, "yesterday"],
    [5 * DAY, "in 5 days"],
    // What was chosen a moment ago.
    [DAY - 20_000, "in 24 hours"],
    [7 * DAY - 20_000, "in 7 days"],
    [-40 * DAY, "Oct 13, 2026"],
  ])("%d ms from now are told as %s", (ms, told) => {
    expect(ago(NOW + ms, NOW)).toBe(told)
  })

  it("are exact in UTC", () => {
    expect(utc("2026-11-22T12:00:05.123Z")).toBe("2026-11-22 12:00:05 UTC")
  })

  it("of waiting are never said too short", () => {
    expect([1, 59, 60, 61].map(waiting)).toEqual(["in 1 second", "in 59 seconds", "in a minute", "in 2 minutes"])
  })
})

describe("what is wrong with a field", () => {
  it("is a sentence of its own, or becomes one", () => {
    const errors = [
      { path: "/email", message: "must be an e-mail address" },
      { path: "/url", message: "The URL must start with https://." },
    ]
    expect(fieldErrors(new Failure(422, { errors }, null))).toEqual({
      email: "This must be an e-mail address.",
      url: "The URL must start with https://.",
    })
  })
})

describe("an API key", () => {
  it.each([
    ["active", {}],
    ["active", { expires_at: at(8 * DAY) }],
    ["soon", { expires_at: at(7 * DAY) }],
    ["expired", { expires_at: at(0) }],
    ["revoked", { expires_at: at(-DAY), revoked_at: at(-2 * DAY) }],
  ])("is %s with %j", (status, ends) => {
    expect(statusOf(key(ends), NOW)).toBe(status)
  })

  it("ends after the days that were chosen, or never", () => {
    expect([expiryOf("30", "", NOW), expiryOf("never", "", NOW)]).toEqual([at(30 * DAY), null])
  })

  it("cannot end on a day that is over, or on none", () => {
    expect(wrongDate("2026-11-20", NOW)).toBe("Choose a date that is still to come.")
    expect(wrongDate("", NOW)).toBe("Choose a date.")
    expect(wrongDate("2026-11-30", NOW)).toBeNull()
  })
})

describe("what people type", () => {
  it("counts a password's characters as the server does, by code points", () => {
    expect(wrongPassword("🙂🙃😀😁😂🤣".repeat(2))).toBeNull()
    expect(wrongPassword("🙂".repeat(11))).toContain("this has 11")
  })

  it("takes an e-mail address with something on both sides of the @", () => {
    expect([wrongEmail(" ada@example.com "), wrongEmail("ada")].map((wrong) => wrong === null)).toEqual([true, false])
  })

  it("keeps of an address of the audit log only what makes sense", () => {
    expect(auditSearch({ page: 2, action: "api_key.created", member_id: 7, other: 1 })).toEqual({
      page: 2,
      action: "api_key.created",
    })
  })
})
