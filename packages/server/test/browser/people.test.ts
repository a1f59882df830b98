/** The dashboard as people use it: from the first start to who else comes in, and what they may see of it. */
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import * as Server from "../blackbox/Server.ts"
import { inspect, launch, open, type Window } from "./Browser.ts"

const chromium = inject("chromium")
const PASSWORD = "correct horse battery"

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
  })

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
    await page.getByRole("heading", { name: "Overview" }).waitFor()
    assert.notInclude(page.url(), "#")
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
    await grace.page.getByRole("heading", { name: "Overview" }).waitFor()
    await grace.page.goto("/dashboard/api-keys")
    await grace.page.getByRole("heading", { name: "API keys" }).waitFor()
    assert.strictEqual(await grace.page.getByRole("button", { name: "Create key" }).count(), 0)
    await grace.page.goto("/dashboard/audit-log")
    await grace.page.getByText("grace@example.com").first().waitFor()
    await inspect(grace.page, "audit")
    assert.deepStrictEqual(grace.faults, [])
    await grace.context.close()
  })

  /** Nothing closes a dialog whose request is under way, so that its answer is not lost. Ends where it is shown. */
  const waits = async (url: string, button: string): Promise<void> => {
    const { page } = ada
    const answer = Promise.withResolvers<void>()
    await page.route(url, async (route) => {
      const response = await route.fetch()
      await answer.promise
      await route.fulfill({ response })
    })
    await page.getByRole("button", { name: button }).click()
    const dialog = page.getByRole("dialog")
    await dialog.locator("button[data-loading]").waitFor()
    assert.isTrue(await dialog.getByRole("button", { name: "Cancel" }).isDisabled())
    assert.isTrue(await dialog.getByRole("button", { name: "Close" }).isDisabled())
    await page.keyboard.press("Escape")
    answer.resolve()
    await dialog.getByRole("button", { name: "Copy" }).waitFor()
    await page.unroute(url)
  }

  it("lets who has lost a password choose another, with a link that an owner makes", async () => {
    const { page } = ada
    const ask = async () => {
      await page.getByRole("row").filter({ hasText: "grace@example.com" }).getByRole("button").click()
      await page.getByRole("menuitem", { name: /new password/i }).click()
    }
    await page.goto("/dashboard/members")
    await ask()
    await inspect(page, "member-reset")
    await waits("**/password_reset", "Create link")
    await page.getByRole("button", { name: "I have saved it" }).click()
    // What was shown is not shown again, which may be to somebody else.
    await ask()
    await page.getByRole("button", { name: "Create link" }).waitFor()
    assert.strictEqual(await page.getByRole("dialog").getByRole("textbox").count(), 0)
    await page.getByRole("button", { name: "Create link" }).click()
    await page.getByRole("button", { name: "Copy" }).waitFor()
    const reset = await page.getByRole("dialog").getByRole("textbox").inputValue()
    await page.getByRole("button", { name: "I have saved it" }).click()
    const grace = await open(browser, server.url)
    await grace.page.goto(reset)
    await grace.page.getByLabel(/^New password/).fill("short")
    await grace.page.getByRole("button", { name: "Save and sign in" }).click()
    await grace.page.getByText(/at least 12 characters; this/).waitFor()
    await inspect(grace.page, "reset-password")
    await grace.page.getByLabel(/^New password/).fill("a much better password")
    await grace.page.getByLabel(/^New password/).press("Enter")
    await grace.page.getByRole("heading", { name: "Overview" }).waitFor()
    await grace.page.goto(reset)
    await grace.page.getByText(/This link does not work/).waitFor()
    assert.deepStrictEqual(grace.faults, [])
    await grace.context.close()
  })

  it("is loaded anew where what a dialog is made of is gone, as after an update of the server", async () => {
    const page = await ada.context.newPage()
    await page.goto("/dashboard/members")
    await page.route(/assets\/Password-[^/]*\.js$/, (route) => route.fulfill({ status: 404 }), { times: 1 })
    await page.getByRole("button", { name: /profile/ }).click()
    const loaded = page.waitForEvent("load")
    await page.getByRole("menuitem", { name: "Change password" }).click()
    await loaded
    await page.getByRole("button", { name: /profile/ }).click()
    await page.getByRole("menuitem", { name: "Change password" }).click()
    const dialog = page.getByRole("dialog", { name: /password/i })
    await dialog.waitFor()
    assert.strictEqual(await dialog.count(), 1)
    await page.close()
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
    await page.getByRole("heading", { name: "Overview" }).waitFor()
    assert.notInclude(page.url(), "sign-in")
  })

  it("runs no script that somebody wrote into a name, and gives the browser nothing to complain of", () => {
    assert.deepStrictEqual(ada.faults, [])
  })
})
