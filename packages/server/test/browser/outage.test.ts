/** Pages whose server cannot be had for a while: they say so, lose nothing, and are themselves again when it is back. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import * as Receiver from "../blackbox/Receiver.ts"
import { inspect } from "./Browser.ts"
import * as Desk from "./Desk.ts"

const chromium = inject("chromium")

/** Everything that a page asks of its server fails, until the function that it answers with is called. */
const cut = async (page: Page): Promise<() => Promise<void>> => {
  const all = /\/dashboard/
  await page.route(all, (route) => route.abort("connectionrefused"))
  return () => page.unroute(all)
}

// Skipped where there is no Chromium and none can be installed; the set-up has said so.
describe.skipIf(chromium === null)("while the server cannot be had", () => {
  let desk: Desk.Desk

  beforeAll(async () => {
    desk = await Desk.signedIn(chromium)
    await desk.api.create("assets", { name: "Star", asset_type: "clipart" })
  })

  afterAll(() => desk.leave())

  it("a page that follows by itself says from when it is, until it follows again", async () => {
    const { page } = desk.ada
    await page.goto("/dashboard/deliveries")
    await page.getByText("No deliveries").waitFor()
    await inspect(page, "deliveries-none")
    const mend = await cut(page)
    await page.getByText(/The server does not answer\. This is how things were at \d\d:\d\d:\d\d\./).waitFor()
    await inspect(page, "behind")
    await page.getByText("No deliveries").waitFor()
    await mend()
    await page.getByText("The server does not answer").waitFor({ state: "detached" })
    assert.include(page.url(), "/deliveries")
  })

  it("a page whose code is not there yet is asked for again where somebody is, and loaded then", async () => {
    const { page } = desk.ada
    await page.goto("/dashboard/deliveries")
    await page.getByText("No deliveries").waitFor()
    const mend = await cut(page)
    await page.getByRole("link", { name: "Audit log" }).click()
    await page.getByRole("heading", { name: "This page cannot be shown" }).waitFor()
    await page.getByText("The server cannot be reached").first().waitFor()
    await mend()
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("heading", { name: "Audit log" }).waitFor()
    await page.getByRole("row").filter({ hasText: "signed in" }).first().waitFor()
    assert.include(page.url(), "/audit-log")
  })

  it("a page that has nothing to show yet says why, and has it as soon as it can be had", async () => {
    const { page, context } = desk.ada
    await page.goto("/dashboard/catalogue/assets")
    await page.getByRole("link", { name: "Star" }).waitFor()
    await context.setOffline(true)
    await page.getByRole("link", { name: "Star" }).click()
    await page.getByText("The server cannot be reached").first().waitFor()
    await context.setOffline(false)
    await page.getByRole("heading", { name: "Star" }).waitFor()
    assert.strictEqual(await page.getByText("The server cannot be reached").count(), 0)
  })

  it("a form keeps what was written, says what happened, and is sent once however often it is pressed", async () => {
    const { page } = desk.ada
    await page.goto("/dashboard/api-keys")
    await page.getByRole("button", { name: "Create key" }).click()
    await page.getByLabel("Name").fill("Counter")
    const mend = await cut(page)
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click()
    await page.getByRole("dialog").getByText("The server cannot be reached").waitFor()
    await mend()
    assert.strictEqual(await page.getByLabel("Name").inputValue(), "Counter")
    const asked: Array<string> = []
    page.on("request", (request) => {
      if (request.method() === "POST") asked.push(request.url())
    })
    await page.locator("[role=dialog] form").evaluate((form) => {
      const { requestSubmit } = form as unknown as { requestSubmit: () => void }
      requestSubmit.call(form)
      requestSubmit.call(form)
    })
    await page.getByRole("button", { name: "I have saved it" }).click()
    assert.strictEqual(asked.length, 1)
  })

  it("an endpoint that somebody enables after all without what it missed gets none of it", async () => {
    const { page } = desk.ada
    const { url } = desk.receiver.hook(Receiver.status(200))
    const { id } = await desk.api.create("webhook_endpoints", { url, events: ["store.created"] })
    await desk.api.modify(`webhook_endpoints/${id}`, { status: "disabled" })
    await page.goto(`/dashboard/webhook-endpoints/${id}`)
    await page.getByRole("button", { name: "Enable …" }).click()
    const asked: Array<string> = []
    await page.route(/\/recover$/, (route) => {
      asked.push(route.request().url())
      return route.abort("connectionrefused")
    })
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Enable endpoint" }).click()
    await dialog.getByText("The server cannot be reached").waitFor()
    await dialog.getByLabel("Send what it missed").uncheck()
    await dialog.getByRole("button", { name: "Enable endpoint" }).click()
    await dialog.waitFor({ state: "detached" })
    assert.strictEqual(asked.length, 1)
  })

  it("give the browser nothing to complain of but that", () => {
    const others = desk.ada.faults.filter((fault) => !fault.includes("The server cannot be reached"))
    assert.deepStrictEqual(others, [])
  })
})
