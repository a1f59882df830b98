/** What pages do about what people do in a hurry: they lose nothing, hold up nobody, and say what there is to be done. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import * as Receiver from "../blackbox/Receiver.ts"
import { until } from "../blackbox/Until.ts"
import * as Desk from "./Desk.ts"

const chromium = inject("chromium")

// Skipped where there is no Chromium and none can be installed; the set-up has said so.
describe.skipIf(chromium === null)("who is in a hurry", () => {
  let desk: Desk.Desk

  beforeAll(async () => {
    desk = await Desk.signedIn(chromium, { TC_WEBHOOK_DISABLE_AFTER: "1" })
  })

  afterAll(() => desk.leave())

  const dialog = () => desk.ada.page.getByRole("dialog")

  it("loses nothing that they entered with Escape, and is held by no dialog in which they have entered nothing", async () => {
    const { page } = desk.ada
    await page.goto("/dashboard/webhook-endpoints")
    const create = page.getByRole("button", { name: "Create endpoint" }).first()
    await create.click()
    await dialog().getByLabel("URL").focus()
    await page.keyboard.press("Escape")
    await dialog().waitFor({ state: "detached" })
    await create.click()
    await dialog().getByLabel("URL").fill("https://shop.example/hook")
    await page.keyboard.press("Escape")
    await dialog()
      .getByRole("radio", { name: /Only those/ })
      .check()
    assert.strictEqual(await dialog().getByLabel("URL").inputValue(), "https://shop.example/hook")
    await dialog().getByRole("button", { name: "Create endpoint" }).click()
    await dialog().getByText("Choose at least one event").waitFor()
    await dialog()
      .getByRole("radio", { name: /All events/ })
      .check()
    await dialog().getByText("Choose at least one event").waitFor({ state: "detached" })
    await dialog().getByRole("button", { name: "Cancel" }).click()
    await dialog().waitFor({ state: "detached" })
  })

  it("may name a receiver by any URL that the server takes, and is told which servers take it", async () => {
    const { page } = desk.ada
    await page.getByRole("button", { name: "Create endpoint" }).first().click()
    await dialog().getByLabel("URL").fill("http://receiver:3000/hook")
    await dialog().getByText("TC_WEBHOOK_ALLOW_PRIVATE=true").waitFor()
    await dialog().getByRole("button", { name: "Create endpoint" }).click()
    await dialog().getByRole("button", { name: "Done" }).click()
    await page.getByRole("heading", { name: "receiver:3000" }).waitFor()
    assert.match(page.url(), /\/webhook-endpoints\/[\da-f-]{36}$/)
  })

  it("may go while a receiver keeps silent", async () => {
    const { page } = desk.ada
    const { url } = desk.receiver.hook(Receiver.never)
    const { id } = await desk.api.create("webhook_endpoints", { url, events: ["font.created"] })
    await page.goto(`/dashboard/webhook-endpoints/${id}`)
    await page.getByRole("button", { name: "Send test event" }).first().click()
    await dialog().getByRole("button", { name: "Send test event" }).click()
    await dialog().getByText("Waiting for the receiver, 30 seconds at most.").waitFor()
    await dialog().getByRole("button", { name: "Close" }).last().click()
    await dialog().waitFor({ state: "detached" })
    assert.include(page.url(), id)
  })

  it("is told which password is wrong, whatever they read with", async () => {
    const { page } = desk.ada
    await page.getByRole("button", { name: /profile/ }).click()
    await page.getByRole("menuitem", { name: "Change password" }).click()
    const field = dialog().getByLabel("New password", { exact: true })
    await dialog().getByLabel("Current password", { exact: true }).fill("whatever it is")
    await field.fill("short")
    await dialog().getByRole("button", { name: "Change password" }).click()
    await until("it has the focus", () => field.evaluate((input) => input.matches(":focus")))
    assert.strictEqual(await field.getAttribute("aria-invalid"), "true")
    await dialog().getByRole("button", { name: "Cancel" }).click()
  })

  it("leaves a menu in which nothing can be chosen with Escape", async () => {
    const { page } = desk.ada
    await page.goto("/dashboard/members")
    await page.getByRole("button", { name: /^Actions for/ }).focus()
    await page.keyboard.press("Enter")
    await page.getByText("The only owner cannot be changed").waitFor()
    await page.keyboard.press("Escape")
    await page.getByText("The only owner cannot be changed").waitFor({ state: "detached" })
    assert.strictEqual(await page.getByRole("menu").count(), 0)
  })

  it("is told that an endpoint said itself that it is gone, and what became of what waited for it", async () => {
    const { page } = desk.ada
    const { url } = desk.receiver.hook(Receiver.status(410))
    const { id } = await desk.api.create("webhook_endpoints", { url, events: ["store.created"], disable_on_gone: true })
    await desk.api.create("stores", { name: "   ", platform: "custom", domain: "shop.example" })
    await page.goto(`/dashboard/webhook-endpoints/${id}`)
    await page.getByText("because it answered 410 Gone").waitFor()
    await desk.api.delete(`webhook_endpoints/${id}`)
    await page.goto("/dashboard/deliveries")
    await page.getByRole("row").filter({ hasText: "Deleted" }).getByRole("link").click()
    await page.getByText(`Deleted: ${id}`).waitFor()
    assert.isTrue(await page.getByRole("button", { name: "Send again" }).isDisabled())
    await page.goto("/dashboard/catalogue/stores")
    await page.getByRole("link", { name: "(no name)" }).click()
    await page.getByRole("heading", { name: "(no name)" }).waitFor()
  })

  it("has a list hold still, and go on", async () => {
    const { page } = desk.ada
    const { url } = desk.receiver.hook(Receiver.status(200))
    await desk.api.create("webhook_endpoints", { url, events: ["asset.created"] })
    await page.goto("/dashboard/deliveries")
    await page.getByRole("button", { name: "Pause" }).click()
    const asked: Array<string> = []
    page.on("request", (request) => {
      if (request.url().includes("/deliveries?")) asked.push(request.url())
    })
    await desk.api.create("assets", { name: "Moon", asset_type: "clipart" })
    // Longer than what is asked for again and again is left alone.
    await page.waitForTimeout(4_000)
    assert.deepStrictEqual(asked, [])
    await page.getByRole("button", { name: "Go on" }).click()
    await page.getByRole("row").filter({ hasText: "asset.created" }).waitFor()
  })

  it("gives the browser nothing to complain of", () => {
    assert.deepStrictEqual(desk.ada.faults, [])
  })
})
