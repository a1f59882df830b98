/** The dashboard as people use it: from the first start to keys that work and end, and what others may see of it. */
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import * as Server from "../blackbox/Server.ts"
import { inspect, launch, open, type Window } from "./Browser.ts"

const chromium = inject("chromium")
const PASSWORD = "correct horse battery"

const statusOf = async (url: string, key: string): Promise<number> =>
  (await fetch(`${url}/api/v1/stores`, { headers: { authorization: `Bearer ${key}` } })).status

// Skipped where there is no Chromium and none can be installed; the set-up has said so.
describe.skipIf(chromium === null)("the dashboard, in a browser", () => {
  let server: Server.Server
  let browser: Browser
  let ada: Window

  const link = () => /open (\S+#\S+)/.exec(server.log())?.[1] ?? ""

  beforeAll(async () => {
    server = await Server.start({ TC_STORE: "memory" })
    browser = await launch(chromium ?? "")
    ada = await open(browser, server.url)
  }, 60_000)

  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  it("is set up with the link from the log, by the first who has it", async () => {
    const { page } = ada
    await page.goto("/dashboard")
    await page.getByLabel("Set-up token").waitFor()
    await inspect(page, "set-up")
    await page.goto(link())
    await page.getByLabel("Name").fill("Ada <b>Lovelace</b>")
    await page.getByLabel("E-mail").fill("ada@example.com")
    await page.getByLabel(/^Password/).fill(PASSWORD)
    await inspect(page, "sign-up")
    await page.getByLabel(/^Password/).press("Enter")
    await page.getByRole("heading", { name: "API keys" }).waitFor()
    assert.notInclude(page.url(), "#")
  })

  it("creates a key that works, shows it once, and ends it", async () => {
    const { page } = ada
    await page.goto("/dashboard")
    await page.getByRole("button", { name: "Create key" }).click()
    await page.getByLabel("Name").fill("<img src=x onerror=alert(1)>")
    await inspect(page, "key-create")
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click()
    const field = page.getByRole("dialog").getByRole("textbox")
    await page.getByRole("button", { name: "Copy" }).waitFor()
    const key = await field.inputValue()
    assert.match(key, /^tc_[0-9a-f]{64}$/)
    await inspect(page, "key-created")
    await page.getByRole("button", { name: "Copy" }).click()
    assert.strictEqual(await page.evaluate("navigator.clipboard.readText()"), key)
    await page.getByRole("button", { name: "I have saved it" }).click()
    assert.strictEqual(await statusOf(server.url, key), 200)
    await page.reload()
    await page
      .getByText(`tc_${key.slice(3, 11)}`)
      .first()
      .waitFor()
    assert.notInclude(await page.content(), key)
    await inspect(page, "keys")
    const row = page.getByRole("row").filter({ hasText: key.slice(3, 11) })
    await row.getByRole("button").click()
    await page.getByRole("menuitem", { name: /revoke/i }).click()
    await inspect(page, "key-revoke")
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /revoke/i })
      .click()
    await row.getByText("Revoked", { exact: true }).waitFor()
    assert.strictEqual(await statusOf(server.url, key), 401)
  })

  it("lets others in by invitation, who see what their role allows", async () => {
    const { page } = ada
    await page.goto("/dashboard/members")
    await page
      .getByRole("button", { name: /invite/i })
      .first()
      .click()
    await page.getByRole("radio", { name: /viewer/i }).check()
    await inspect(page, "invite")
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /create|invite/i })
      .click()
    await page.getByRole("button", { name: "Copy" }).waitFor()
    const invitation = await page.getByRole("dialog").getByRole("textbox").inputValue()
    await page.getByRole("button", { name: "I have saved it" }).click()
    await inspect(page, "members")
    const grace = await open(browser, server.url)
    await grace.page.goto(invitation)
    await grace.page.getByLabel("Name").fill("Grace")
    await grace.page.getByLabel("E-mail").fill("grace@example.com")
    await grace.page.getByLabel(/^Password/).fill(PASSWORD)
    await grace.page.getByLabel(/^Password/).press("Enter")
    await grace.page.getByRole("heading", { name: "API keys" }).waitFor()
    assert.strictEqual(await grace.page.getByRole("button", { name: "Create key" }).count(), 0)
    await grace.page.goto("/dashboard/audit-log")
    await grace.page.getByText("grace@example.com").first().waitFor()
    await inspect(grace.page, "audit")
    assert.deepStrictEqual(grace.faults, [])
    await grace.context.close()
  })

  it("is left by signing out, and entered again with the right password alone", async () => {
    const { page } = ada
    await page.goto("/dashboard")
    await page.getByRole("button", { name: /ada/i }).click()
    await page.getByRole("menuitem", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    await inspect(page, "sign-in")
    await page.getByLabel("E-mail").fill("ada@example.com")
    await page.getByLabel(/^Password/).fill("not this one")
    await page.getByLabel(/^Password/).press("Enter")
    await page.getByText(/do not belong together/).waitFor()
    await page.getByLabel(/^Password/).fill(PASSWORD)
    await page.getByLabel(/^Password/).press("Enter")
    await page.getByRole("heading", { name: "API keys" }).waitFor()
    assert.notInclude(page.url(), "sign-in")
  })

  it("runs no script that somebody wrote into a name, and gives the browser nothing to complain of", () => {
    assert.deepStrictEqual(ada.faults, [])
  })
})
