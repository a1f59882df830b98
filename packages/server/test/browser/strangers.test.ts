/** What members of another account see, and those who may not do everything: pages offer less, and the API refuses the rest. */
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import * as World from "../dashboard/World.ts"
import { until } from "../blackbox/Until.ts"
import { inspect, launch, open, type Window } from "./Browser.ts"
import * as Site from "./Site.ts"

const chromium = inject("chromium")

interface Call {
  readonly path: string
  readonly method?: string
  readonly body?: unknown
}

const statuses = async (window: Window, calls: ReadonlyArray<Call>): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const { path, ...rest } of calls) {
    found.push(`${rest.method ?? "GET"} ${path} ${await Site.asked(window, path, rest)}`)
  }
  return found
}

const all = (calls: ReadonlyArray<Call>, status: number): ReadonlyArray<string> =>
  calls.map(({ path, method = "GET" }) => `${method} ${path} ${status}`)

/** What the page of an address shows, once it is there. */
const textOf = async ({ page }: Window, path: string): Promise<string> => {
  await page.goto(`/dashboard/${path}`)
  await page.locator("main").getByRole("heading").first().waitFor()
  // What is not there yet has a place that is kept for it.
  await page.locator("main .mantine-Skeleton-root").first().waitFor({ state: "detached" })
  return page.locator("body").innerText()
}

// Skipped where there is no Chromium and none can be installed; the set-up has said so.
describe.skipIf(chromium === null)("somebody in a window of their own", () => {
  let site: Site.Site
  let browser: Browser
  let eve: Site.Person
  let ids: {
    readonly endpoint: string
    readonly delivery: string
    readonly key: string
    readonly member: string
    readonly asset: string
  }

  beforeAll(async () => {
    site = await Site.start(World.receivers().layer)
    const { ada } = site
    eve = await site.stranger()
    const { body: made } = await ada.post("webhook_endpoints", { url: "https://hooks.example/ada", events: ["*"] })
    const { body: kept } = await ada.post("api_keys", { name: "Key of Ada", scopes: ["read"] })
    const { key } = await site.key()
    const headers = { "content-type": "application/json", "x-api-key": key }
    const body = JSON.stringify({ name: "Asset of Ada", asset_type: "clipart" })
    const asset: World.Answer["body"] = await (
      await fetch(`${site.origin}/api/v1/assets`, { method: "POST", headers, body })
    ).json()
    const delivery = await until("there is a delivery", async () => (await ada.ask("deliveries")).body.data[0]?.id)
    const { body: me } = await ada.ask("session")
    ids = { endpoint: made.id, delivery, key: kept.id, member: me.member.id, asset: asset.id }
    browser = await launch(chromium ?? "")
  })

  afterAll(async () => {
    await browser.close()
    await site.stop()
  })

  /** All that changes something, or shows a secret: of developers, and of owners alone. */
  const developers = (): ReadonlyArray<Call> => {
    const endpoint = `webhook_endpoints/${ids.endpoint}`
    return [
      { path: "api_keys", method: "POST", body: { name: "Key", scopes: ["read"] } },
      { path: `api_keys/${ids.key}/rotate`, method: "POST", body: { overlap_seconds: 0 } },
      { path: `api_keys/${ids.key}/revoke`, method: "POST" },
      { path: "webhook_endpoints", method: "POST", body: { url: "https://hooks.example/", events: ["*"] } },
      { path: endpoint, method: "PATCH", body: { description: "Changed" } },
      { path: `${endpoint}/reveal_secret`, method: "POST" },
      { path: `${endpoint}/rotate_secret`, method: "POST", body: {} },
      { path: `${endpoint}/test`, method: "POST", body: { event: "store.created" } },
      { path: `${endpoint}/recover`, method: "POST", body: { since: "2026-01-01T00:00:00.000Z" } },
      { path: `deliveries/${ids.delivery}/retry`, method: "POST" },
      { path: endpoint, method: "DELETE" },
    ]
  }
  const owners = (): ReadonlyArray<Call> => [
    { path: "invitations" },
    { path: "invitations", method: "POST", body: { role: "owner" } },
    { path: `members/${ids.member}`, method: "PATCH", body: { role: "viewer" } },
    { path: `members/${ids.member}/password_reset`, method: "POST" },
    { path: `members/${ids.member}`, method: "DELETE" },
  ]

  it("sees nothing of another account, whatever address they type", async () => {
    const window = await Site.sitting(browser, site, eve)
    for (const path of [
      "api-keys",
      "members",
      "webhook-endpoints",
      `webhook-endpoints/${ids.endpoint}`,
      "deliveries",
      `deliveries?endpoint_id=${ids.endpoint}`,
      `deliveries/${ids.delivery}`,
      "audit-log",
      `audit-log?member_id=${ids.member}`,
      "overview",
      "catalogue/assets",
      `catalogue/assets/${ids.asset}`,
    ]) {
      assert.notMatch(await textOf(window, path), /of Ada|ada@example|hooks\.example/, path)
    }
    const reads = [`webhook_endpoints/${ids.endpoint}`, `deliveries/${ids.delivery}`, `assets/${ids.asset}`].map(
      (path) => ({ path }),
    )
    const calls = [...reads, ...developers(), ...owners()].filter(({ path }) => path.includes("/"))
    assert.deepStrictEqual(await statuses(window, calls), all(calls, 404))
    await window.context.close()
  })

  it("chooses which account to enter, once they have given the password of several", async () => {
    const { body } = await eve.post("invitations", { role: "viewer" })
    const member = { token: body.token, email: "ada@example.com", name: "Ada", password: Site.PASSWORD }
    await new World.Person(site.origin).post("sign_ups", member)
    const { context, page, faults } = await open(browser, site.origin)
    await page.goto("/dashboard/sign-in")
    await page.getByLabel("E-mail").fill(member.email)
    await page.getByLabel(/^Password/).fill("not this one")
    await page.getByLabel(/^Password/).press("Enter")
    await page.getByText(/do not belong together/).waitFor()
    assert.strictEqual(await page.getByText("Elsewhere").count(), 0)
    await page.getByLabel(/^Password/).fill(member.password)
    await page.getByLabel(/^Password/).press("Enter")
    await page.getByRole("heading", { name: "Choose an account" }).waitFor()
    await inspect(page, "choose-account")
    await page.getByRole("button", { name: "Elsewhere" }).click()
    await page.getByRole("heading", { name: "Choose an account" }).waitFor({ state: "detached" })
    await page.getByText("Elsewhere").first().waitFor()
    assert.deepStrictEqual(faults, [])
    await context.close()
  })

  it("sees as a viewer what there is, is offered nothing that changes it, and is refused it", async () => {
    const window = await Site.sitting(browser, site, await site.invited("viewer", "grace@example.com"))
    const { page } = window
    for (const path of ["api-keys", "members", "webhook-endpoints", `webhook-endpoints/${ids.endpoint}`]) {
      await textOf(window, path)
      const buttons = page
        .locator("main")
        .getByRole("button", { name: /create|invite|revoke|rotate|reveal|edit|delete|actions/i })
      assert.deepStrictEqual(await buttons.allInnerTexts(), [], path)
    }
    assert.match(await textOf(window, `webhook-endpoints/${ids.endpoint}`), /hooks\.example/)
    const calls = [...developers(), ...owners()]
    assert.deepStrictEqual(await statuses(window, calls), all(calls, 403))
    await window.context.close()
  })

  it("works as a developer with keys and endpoints, and is refused what is for owners", async () => {
    const window = await Site.sitting(browser, site, await site.invited("developer", "joan@example.com"))
    const { page } = window
    await textOf(window, "members")
    assert.strictEqual(await page.getByRole("button", { name: /invite/i }).count(), 0)
    assert.deepStrictEqual(await statuses(window, owners()), all(owners(), 403))
    await textOf(window, "api-keys")
    assert.isAbove(await page.getByRole("button", { name: "Create key" }).count(), 0)
    const done = await statuses(window, developers())
    assert.deepStrictEqual(
      done.filter((line) => !/ (20[0-4]|409)$/.test(line)),
      [],
    )
    await window.context.close()
  })
})
