/** A webhook endpoint as somebody works with it: made, tested, broken, seen why, repaired, and sent what it missed. */
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import * as Receiver from "../blackbox/Receiver.ts"
import * as Server from "../blackbox/Server.ts"
import { until } from "../blackbox/Until.ts"
import { admin, inspect, launch, open, signIn, type Window } from "./Browser.ts"

const chromium = inject("chromium")

// Skipped where there is no Chromium and none can be installed; the set-up has said so.
describe.skipIf(chromium === null)("a webhook endpoint, in a browser", () => {
  let server: Server.Server
  let receiver: Receiver.Receiver
  let hook: Receiver.Hook
  let browser: Browser
  let ada: Window

  /** Something happens that the endpoint subscribes to. */
  const happen = (name: string) =>
    fetch(`${server.url}/api/v1/assets`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": server.key },
      body: JSON.stringify({ name, asset_type: "clipart", metadata: { note: "<script>alert(1)</script>" } }),
    })

  beforeAll(async () => {
    server = await Server.start({ TC_STORE: "memory", TC_WEBHOOK_DISABLE_AFTER: "1", ...admin })
    receiver = await Receiver.listen()
    hook = receiver.hook(Receiver.status(200))
    browser = await launch(chromium ?? "")
    ada = await open(browser, server.url)
    const { page } = ada
    await signIn(page)
    await page.getByRole("heading", { name: "Overview" }).waitFor()
  })

  afterAll(async () => {
    await browser.close()
    receiver.close()
    await server.stop()
  })

  it("is made, for all events, and shows its secret", async () => {
    const { page } = ada
    await page.getByRole("link", { name: "Webhook endpoints" }).first().click()
    await page.getByText("No webhook endpoints yet").waitFor()
    await inspect(page, "endpoints-none")
    await page
      .getByRole("button", { name: /create/i })
      .first()
      .click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("URL").fill("nonsense")
    await dialog.getByLabel("Description").fill("Order desk")
    await dialog.getByRole("radio", { name: /Only those/ }).check()
    await inspect(page, "endpoint-create")
    await dialog.getByRole("radio", { name: /All events/ }).check()
    await dialog.getByLabel("URL").fill(hook.url)
    await dialog.getByRole("button", { name: /create/i }).click()
    await page.getByRole("button", { name: "Copy" }).waitFor()
    assert.match(await dialog.getByRole("textbox").inputValue(), /^whsec_/)
    await inspect(page, "endpoint-created")
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByText("Order desk").first().waitFor()
    await inspect(page, "endpoints")
  })

  it("is sent a test event that somebody has edited, and tells what came of it", async () => {
    const { page } = ada
    await page
      .getByRole("link", { name: /127\.0\.0\.1/ })
      .first()
      .click()
    await page.getByRole("button", { name: /test/i }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Event").selectOption("store.created")
    await dialog.getByLabel("Data").fill("[1]")
    await dialog.getByRole("button", { name: "Send test event" }).click()
    await dialog.getByText("This is no JSON object").waitFor()
    assert.lengthOf(hook.seen, 0)
    await dialog.getByLabel("Data").fill('{ "made": "up" }')
    await dialog.getByRole("button", { name: "Send test event" }).click()
    await dialog.getByText(/200/).first().waitFor()
    assert.deepStrictEqual(hook.seen[0]?.body.data, { made: "up" })
    await inspect(page, "endpoint-test")
    await dialog.getByRole("button", { name: "Close", exact: true }).last().click()
  })

  it("shows what is delivered by itself, and each delivery with its attempts and body", async () => {
    const { page } = ada
    await happen("Star")
    await page.getByText("asset.created").first().waitFor()
    await inspect(page, "endpoint")
    await page.getByRole("link", { name: "asset.created" }).first().click()
    await page.getByText("Succeeded").first().waitFor()
    await page
      .getByText(/alert\(1\)/)
      .first()
      .waitFor()
    await inspect(page, "delivery")
    const before = hook.seen.length
    await page.getByRole("button", { name: /send again/i }).click()
    await until("it is sent again", () => hook.seen.length > before)
    assert.strictEqual(hook.seen.at(-1)?.text, hook.seen.at(-2)?.text)
  })

  it("that fails is disabled, says why, and gets what it missed once it is enabled again", async () => {
    const { page } = ada
    hook.reply = (response) => response.writeHead(500).end("the printer is <b>on fire</b>")
    await happen("Lost")
    await page.getByRole("link", { name: "Webhook endpoints" }).first().click()
    await page
      .getByText(/disabled/i)
      .first()
      .waitFor()
    await page
      .getByRole("link", { name: /127\.0\.0\.1/ })
      .first()
      .click()
    await page.getByText("This endpoint was disabled because its deliveries failed").waitFor()
    await page.getByText(/500/).first().waitFor()
    await inspect(page, "endpoint-disabled")
    hook.reply = Receiver.status(200)
    const before = hook.seen.length
    await happen("Missed")
    await page.getByRole("button", { name: "Enable …" }).click()
    await inspect(page, "endpoint-enable")
    await page.getByRole("button", { name: "Enable endpoint" }).click()
    await until("what it missed is sent", () =>
      hook.seen.slice(before).some(({ body }) => body.event === "asset.created" && body.data.name === "Missed"),
    )
    await page.getByText("This endpoint was disabled because").waitFor({ state: "detached" })
    assert.isFalse(hook.seen.slice(before).some(({ body }) => body.event === "store.created"))
  })

  it("has all its deliveries in one table, to be narrowed", async () => {
    const { page } = ada
    await page.getByRole("link", { name: "Deliveries", exact: true }).first().click()
    await page.getByRole("heading", { name: "Deliveries" }).waitFor()
    await page.getByRole("row").filter({ hasText: "asset.created" }).first().waitFor()
    await inspect(page, "deliveries")
    await page.getByLabel("Status").selectOption("failed")
    await page.getByRole("row").filter({ hasText: "Failed" }).first().waitFor()
    // Those of before are shown until the answer is here.
    await page.getByRole("row").filter({ hasText: "Succeeded" }).first().waitFor({ state: "detached" })
    assert.match(page.url(), /status=failed/)
  })

  it("gives the browser nothing to complain of", () => {
    assert.deepStrictEqual(ada.faults, [])
  })
})
