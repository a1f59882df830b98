import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { Event, Sample, SigningSecrets, WebhookEndpoint } from "../src/index.ts"
import { wrong } from "./Wrong.ts"

const now = "2026-11-21T12:00:00.000Z"
const { resource } = WebhookEndpoint
const active = Schema.decodeSync(resource.row)({
  ...Sample.webhook_endpoint,
  status: "active",
  consecutive_failures: 3,
  disabled_at: null,
  secret: "encrypted",
})
const endpoints = {
  active,
  disabled: { ...active, status: "disabled", disabled_at: active.updated_at },
  "auto-disabled": { ...active, status: "auto-disabled", consecutive_failures: 5, disabled_at: active.updated_at },
} as const satisfies Record<WebhookEndpoint.Status, WebhookEndpoint.WebhookEndpoint>

const statuses = ["active", "disabled", "auto-disabled"] as const
const commands = ["enable", "disable", "exhaust"] as const

/** The lifecycle as the documents have it. */
const table = {
  active: { enable: "active", disable: "disabled", exhaust: "auto-disabled" },
  disabled: { enable: "active", disable: "disabled", exhaust: "disabled" },
  "auto-disabled": { enable: "active", disable: "disabled", exhaust: "auto-disabled" },
} as const

describe("the lifecycle", () => {
  for (const status of statuses) {
    for (const command of commands) {
      const to = table[status][command]
      it(`${status}, ${command}: ${to}`, () =>
        assert.strictEqual(WebhookEndpoint.run(command, endpoints[status], now).status, to))
    }
  }
  it("gives the same endpoint where a command leads nowhere", () => {
    assert.strictEqual(WebhookEndpoint.run("enable", endpoints.active, now), endpoints.active)
    for (const command of ["disable", "exhaust"] as const)
      assert.strictEqual(WebhookEndpoint.run(command, endpoints.disabled, now), endpoints.disabled)
    assert.strictEqual(WebhookEndpoint.run("exhaust", endpoints["auto-disabled"], now), endpoints["auto-disabled"])
  })
  it("has no other statuses and commands", () => assert.deepStrictEqual(WebhookEndpoint.lifecycle, table))
  it.prop(
    "is never left, and a time of disabling goes with every status but active",
    [Schema.Array(Schema.Literals(commands)).check(Schema.isMaxLength(12))],
    ([happened]) => {
      let endpoint: WebhookEndpoint.WebhookEndpoint = endpoints.active
      for (const command of happened) {
        endpoint = WebhookEndpoint.run(command, endpoint, now)
        assert.include(statuses, endpoint.status)
        assert.strictEqual(endpoint.disabled_at === null, endpoint.status === "active")
      }
    },
  )
  for (const status of ["disabled", "auto-disabled"] as const)
    it(`enabling clears the failures of an endpoint that is ${status}`, () =>
      assert.deepStrictEqual(WebhookEndpoint.run("enable", endpoints[status], now), {
        ...endpoints[status],
        status: "active",
        consecutive_failures: 0,
        disabled_at: null,
        updated_at: now,
      }))
  it("disabling keeps the failures and says when", () =>
    assert.deepStrictEqual(WebhookEndpoint.run("exhaust", active, now), {
      ...active,
      status: "auto-disabled",
      disabled_at: now,
      updated_at: now,
    }))
})

describe("a PATCH", () => {
  it("that changes nothing gives the same endpoint", () => {
    const { url, events, description } = active
    assert.strictEqual(WebhookEndpoint.patch({ url, events, description, status: "active" })(active, now).row, active)
  })
  it("changes fields and status at once", () =>
    assert.deepStrictEqual(WebhookEndpoint.patch({ description: null, status: "disabled" })(active, now).row, {
      ...active,
      description: null,
      status: "disabled",
      disabled_at: now,
      updated_at: now,
    }))
  it("enables an auto-disabled endpoint", () =>
    assert.strictEqual(
      WebhookEndpoint.patch({ status: "active" })(endpoints["auto-disabled"], now).row.status,
      "active",
    ))
  it("of other fields leaves the failures alone", () =>
    assert.strictEqual(WebhookEndpoint.patch({ description: "b" })(active, now).row.consecutive_failures, 3))
  it("raises no events", () =>
    assert.deepStrictEqual(WebhookEndpoint.patch({ status: "disabled" })(active, now).events, []))
  it("cannot set auto-disabled", () =>
    assert.deepStrictEqual(wrong(resource.patch, { status: "auto-disabled" }), ["/status"]))
})

const rotate = (overlap_seconds: number, endpoint = active) =>
  Result.getOrThrow(WebhookEndpoint.rotate("next", overlap_seconds)(endpoint, now))

describe("a rotation", () => {
  it("says until when older secrets sign, and changes nothing else", () => {
    const { row, events } = rotate(3_600)
    const secret_overlap_until = "2026-11-21T13:00:00.000Z"
    assert.deepStrictEqual(row, { ...active, secret: row.secret, secret_overlap_until, updated_at: now })
    assert.deepStrictEqual(events, [])
  })
  it("says of no overlap where there is none, and ends one", () => {
    const { row } = rotate(0)
    assert.deepStrictEqual(row, { ...active, secret: row.secret, updated_at: now })
    assert.deepStrictEqual(SigningSecrets.all(row.secret), [{ secret: "next", until: Infinity }])
    assert.isNull(rotate(0, rotate(3_600).row).row.secret_overlap_until)
  })
  it("is refused where too many secrets sign, with what to do about it", () => {
    const nine = Array.from({ length: 9 }, () => 60).reduce(
      (endpoint, seconds) => rotate(seconds, endpoint).row,
      active,
    )
    const refusal = Result.flip(WebhookEndpoint.rotate("next", 60)(nine, now))
    assert.include(Result.getOrThrow(refusal), { code: "too_many_secrets" })
    assert.match(Result.getOrThrow(refusal).message, /^10 secrets .* overlap_seconds 0/)
  })
  it("has an overlap that is none once it is over", () => {
    const { row } = rotate(3_600)
    assert.strictEqual(WebhookEndpoint.asOf(row, "2026-11-21T12:59:59.999Z"), row)
    assert.isNull(WebhookEndpoint.asOf(row, "2026-11-21T13:00:00.000Z").secret_overlap_until)
    assert.strictEqual(WebhookEndpoint.asOf(active, now), active)
  })
  it("takes an overlap of up to a week, in whole seconds", () => {
    const takes = Schema.is(WebhookEndpoint.OverlapSeconds)
    assert.isTrue([0, 1, 604_800].every(takes))
    assert.isFalse([-1, 0.5, 604_801, Number.NaN, "60", null].some(takes))
  })
})

const events = (input: unknown) =>
  Schema.decodeUnknownSync(resource.create)({ url: "https://a.example", events: input }).events
const refused = (input: unknown) =>
  wrong(resource.create, { url: "https://a.example", events: input }).some((path) => path.startsWith("/events"))

describe("the events of an endpoint", () => {
  it("are names of the catalogue", () =>
    assert.deepStrictEqual(events(["design.finalized", "store.synced"]), ["design.finalized", "store.synced"]))
  it("may be all 42 of them", () => assert.deepStrictEqual(events(Event.all), Event.all))
  it("may be all there are and will be", () => assert.deepStrictEqual(events(["*"]), ["*"]))
  it("may be a bare star, which becomes a list", () => assert.deepStrictEqual(events("*"), ["*"]))
  for (const [sentence, input] of [
    ["none", []],
    ["a name that is not in the catalogue", ["design.finalised"]],
    ["a star beside a name", ["*", "design.finalized"]],
    ["two stars", ["*", "*"]],
    ["a bare name", "design.finalized"],
    ["null", null],
    ["more than there are", [...Event.all, "store.created"]],
  ] as const)
    it(`cannot be ${sentence}`, () => assert.isTrue(refused(input)))
})

describe("the rate of an endpoint", () => {
  for (const max_per_second of [1, 1_000, null])
    it(`can be ${max_per_second}`, () => assert.deepStrictEqual(wrong(resource.patch, { max_per_second }), []))
  for (const max_per_second of [0, 1_001, 1.5, "10"])
    it(`cannot be ${JSON.stringify(max_per_second)}`, () =>
      assert.deepStrictEqual(wrong(resource.patch, { max_per_second }), ["/max_per_second"]))
})

describe("telling an endpoint", () => {
  it("of an event it subscribes to", () => assert.isTrue(WebhookEndpoint.wants(active, "design.finalized")))
  it("not of another", () => assert.isFalse(WebhookEndpoint.wants(active, "design.created")))
  it("of any event when it subscribes to all", () =>
    assert.isTrue(Event.all.every((event) => WebhookEndpoint.wants({ status: "active", events: ["*"] }, event))))
  for (const status of ["disabled", "auto-disabled"] as const)
    it(`of nothing while it is ${status}`, () =>
      assert.isFalse(WebhookEndpoint.wants({ status, events: ["*"] }, "design.finalized")))
})

describe("webhook_endpoint.disabled", () => {
  const raised = WebhookEndpoint.disabledEvent(endpoints["auto-disabled"])
  it("is in the catalogue", () => assert.include([...Event.all], raised.event))
  it("carries the record", () =>
    assert.deepStrictEqual(Schema.decodeUnknownSync(Event.data["webhook_endpoint.disabled"])(raised.data), raised.data))
  it("does not carry the secret", () => assert.notProperty(raised.data, "secret"))
})
