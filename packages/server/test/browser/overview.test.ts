/** How deliveries go, as somebody sees it who signs in: at first what to do, then figures, charts, and what is in trouble. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import * as Receiver from "../blackbox/Receiver.ts"
import { inspect, signIn } from "./Browser.ts"
import * as Desk from "./Desk.ts"

const chromium = inject("chromium")
/** Bytes of JavaScript that a page may load at first, compressed as they are served. */
const SCRIPTS_MAX = 250_000

// Skipped where there is no Chromium and none can be installed; the set-up has said so.
describe.skipIf(chromium === null)("the overview, in a browser", () => {
  let desk: Desk.Desk
  let good: Receiver.Hook
  let answer: (reply: Receiver.Reply) => void
  let bad: Receiver.Hook

  const happen = () => desk.api.create("assets", { name: "Star", asset_type: "clipart" })

  beforeAll(async () => {
    // An attempt waits for its answer as long as the tests want.
    const env = { TC_WEBHOOK_DISABLE_AFTER: "1", TC_WEBHOOK_TIMEOUT: "60s" }
    desk = await Desk.sit(chromium, env)
    ;({ hook: good, answer } = Receiver.held(desk.receiver))
    bad = desk.receiver.hook(Receiver.status(500))
  })

  afterAll(() => desk.leave())

  it("is what comes after signing in, with what to do first and what of it is done", async () => {
    const { page } = desk.ada
    await signIn(page)
    await page.getByRole("heading", { name: "Nothing has been delivered yet" }).waitFor()
    const steps = page.getByRole("listitem").filter({ hasText: /API key|webhook endpoint|test event/ })
    const done = () => steps.filter({ hasText: "(done)" }).count()
    // The server's own start has made a key.
    assert.strictEqual(await done(), 1)
    await inspect(page, "overview-new")
    await desk.api.create("webhook_endpoints", { url: good.url, events: ["asset.created"] })
    await page.reload()
    await page.getByRole("link", { name: "Send a test event" }).waitFor()
    assert.strictEqual(await done(), 2)
  })

  it("speaks of first steps no more once there is a delivery, whatever becomes of it", async () => {
    const { page } = desk.ada
    await happen()
    await page.reload()
    await page.getByText("of 0 attempts").waitFor()
    assert.strictEqual(await page.getByText("Nothing has been delivered yet").count(), 0)
    answer(Receiver.status(200))
  })

  it("shows what was delivered and what was not, in figures and charts that follow by themselves", async () => {
    const { page } = desk.ada
    await desk.api.create("webhook_endpoints", { url: bad.url, events: ["asset.created"] })
    await happen()
    // The third of its attempts is the last of the delivery, and disables the endpoint.
    await page.getByText("Auto-disabled").waitFor()
    for (let nth = 2; nth < 10; nth++) await happen()
    await page.getByRole("img", { name: /^Attempts per 15 minutes: .* 10 succeeded, 2 retried, 1 failed/ }).waitFor()
    await page.getByText("of 13 attempts, 2 of them retried").waitFor()
    await page.getByRole("img", { name: /^Time to an answer: .* 95% within [\d.]+ m?s/ }).waitFor()
    assert.strictEqual(await page.getByText("76.9%").count(), 1)
    await inspect(page, "overview")
  })

  it("grows with the widest screens", async () => {
    const { page } = desk.ada
    const width = "document.querySelector('[role=img]').getBoundingClientRect().width"
    const usual = Number(await page.evaluate(width))
    await page.setViewportSize({ width: 3_840, height: 2_160 })
    await page.reload()
    await page.getByRole("img").first().waitFor()
    await page.waitForFunction(`${width} > ${1.4 * usual}`)
    assert.isAtMost(Number(await page.evaluate("document.documentElement.scrollWidth")), 3_840)
    await page.screenshot({ path: new URL("../../screenshots/overview-3840.png", import.meta.url).pathname })
    await page.setViewportSize({ width: 1_280, height: 800 })
  })

  it("tells the values of a step to who goes there with the arrow keys, and all of them to who cannot see them", async () => {
    const { page } = desk.ada
    const chart = page.getByRole("img", { name: /^Attempts/ })
    await chart.focus()
    await chart.press("ArrowLeft")
    const values = page.locator(".values")
    await values.getByText("Succeeded").waitFor()
    assert.match(await values.innerText(), /\d\d:\d\d–\d\d:\d\d/)
    await page.screenshot({ path: new URL("../../screenshots/overview-values.png", import.meta.url).pathname })
    await page.keyboard.press("Tab")
    await values.waitFor({ state: "detached" })
    const table = page.getByRole("table", { name: /^Attempts/ })
    assert.isAtLeast(await table.getByRole("row").count(), 2)
  })

  it("names the endpoint in trouble, and leads to it", async () => {
    const { page } = desk.ada
    const row = page.getByRole("row").filter({ hasText: "Auto-disabled" })
    await row.getByText("0%", { exact: true }).waitFor()
    await row.getByRole("link").click()
    await page.getByText("This endpoint was disabled because its deliveries failed").waitFor()
    assert.include(page.url(), "/webhook-endpoints/")
  })

  it("looks back as far as somebody chooses, which stands in the address", async () => {
    const { page } = desk.ada
    await page.getByRole("link", { name: "Overview" }).click()
    await page.getByText("Hour", { exact: true }).click()
    await page.waitForURL(/span=1h/)
    await page.getByRole("img", { name: /^Attempts per minute: the last hour/ }).waitFor()
    await page.reload()
    await page.getByRole("img", { name: /^Attempts per minute: the last hour/ }).waitFor()
    assert.isTrue(await page.getByRole("radio", { name: "Hour" }).isChecked())
  })

  it("has what each endpoint came to in the list of endpoints, too", async () => {
    const { page } = desk.ada
    await page.getByRole("link", { name: "Webhook endpoints" }).first().click()
    const cells = (url: string) => page.getByRole("row").filter({ hasText: url }).getByRole("cell")
    await cells(good.url).first().waitFor()
    const shares = [await cells(good.url).allInnerTexts(), await cells(bad.url).allInnerTexts()].map(
      (texts) => texts[2],
    )
    assert.deepStrictEqual(shares, ["100%", "0%"])
  })

  it("is there, charts included, with less than 250 kB of scripts", async () => {
    const { page } = desk.ada
    const sizes: Array<number> = []
    await page.route("**/*.js", async (route) => {
      const response = await route.fetch()
      sizes.push(Number(response.headers()["content-length"]))
      await route.fulfill({ response })
    })
    await page.goto("/dashboard/overview")
    await page.getByRole("img", { name: /^Attempts/ }).waitFor()
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    assert.isAbove(bytes, 100_000)
    assert.isBelow(bytes, SCRIPTS_MAX)
  })

  it("gives the browser nothing to complain of", () => {
    assert.deepStrictEqual(desk.ada.faults, [])
  })
})
