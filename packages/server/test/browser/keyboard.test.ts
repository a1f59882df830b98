/** The dashboard without a mouse: every step is one of the keyboard, and whatever has the focus shows it. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import * as Receiver from "../blackbox/Receiver.ts"
import { until } from "../blackbox/Until.ts"
import { admin } from "./Browser.ts"
import * as Desk from "./Desk.ts"

const chromium = inject("chromium")

/** What has the focus, as a screen reader calls it: `button "Create key"`; nothing between the last stop and the first. */
const focused = async (page: Page): Promise<string> => {
  const [one] = await page.locator(":focus").all()
  // What is gone in the meantime has it no more.
  const [line = ""] = ((await one?.ariaSnapshot({ timeout: 1_000 }).catch(() => "")) ?? "").split("\n")
  return line.replace(/^- /, "")
}

/** Stops on the way that are too many for anybody. */
const STOPS_MAX = 40

/** Presses a key until something has the focus that is called so. Every stop on the way has to be seen. */
const go = async (page: Page, name: RegExp, key = "Tab"): Promise<void> => {
  const stops: Array<string> = []
  for (let stop = 0; stop < STOPS_MAX; stop++) {
    await page.keyboard.press(key)
    const now = await focused(page)
    const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    if (now !== "") assert.notStrictEqual(outline, "none", `nobody sees that this has the focus: ${now}`)
    if (name.test(now)) return
    stops.push(now)
  }
  assert.fail(`the keyboard does not get to ${name}, but to ${stops.join(" · ")}`)
}

/** What has the focus, once that is called so. */
const arrives = (page: Page, name: RegExp): Promise<string> =>
  until(`${name} has the focus`, async () => {
    const now = await focused(page)
    return name.test(now) ? now : null
  })

// Skipped where there is no Chromium and none can be installed; the set-up has said so.
describe.skipIf(chromium === null)("the dashboard, by keyboard alone", () => {
  let desk: Desk.Desk

  beforeAll(async () => {
    desk = await Desk.sit(chromium)
  })

  afterAll(() => desk.leave())

  it("is entered", async () => {
    const { page } = desk.ada
    await page.goto("/dashboard")
    await page.getByLabel("E-mail").waitFor()
    await go(page, /textbox "E-mail/)
    await page.keyboard.type(admin.TC_ADMIN_EMAIL)
    await go(page, /textbox "Password/)
    await page.keyboard.type("not this one")
    await go(page, /button "Sign in/)
    await page.keyboard.press("Enter")
    await page.getByText(/do not belong together/).waitFor()
    // What was pressed has the focus still, though it could not be pressed meanwhile.
    await arrives(page, /button "Sign in/)
    await go(page, /textbox "Password/, "Shift+Tab")
    await page.keyboard.press("ControlOrMeta+A")
    await page.keyboard.type(admin.TC_ADMIN_PASSWORD)
    await page.keyboard.press("Enter")
    await page.getByRole("navigation", { name: "Main" }).waitFor()
    assert.deepStrictEqual(desk.ada.faults, [])
  })

  it("has its navigation skipped with the first key", async () => {
    const { page } = desk.ada
    await page.reload()
    await page.getByRole("navigation", { name: "Main" }).waitFor()
    await go(page, /link "Skip to the content"/)
    await page.keyboard.press("Enter")
    assert.match(await arrives(page, /^main/), /^main/)
  })

  it("creates a key, and goes on where it was", async () => {
    const { page } = desk.ada
    await go(page, /link "Members"/, "Shift+Tab")
    await page.keyboard.press("Enter")
    await arrives(page, /heading "Members"/)
    await go(page, /link "API keys"/, "Shift+Tab")
    await page.keyboard.press("Enter")
    await arrives(page, /heading "API keys"/)
    await go(page, /button "Create key"/)
    await page.keyboard.press("Enter")
    await arrives(page, /textbox "Name/)
    await page.keyboard.type("Shop")
    await go(page, /checkbox "Write/i)
    await page.keyboard.press("Space")
    await go(page, /button "Create key"/)
    await page.keyboard.press("Enter")
    await arrives(page, /button "Copy"/)
    await go(page, /button "I have saved it"/)
    await page.keyboard.press("Enter")
    assert.match(await arrives(page, /button "Create key"/), /button "Create key"/)
  })

  it("opens the menu of a row, and leaves a dialog with Escape", async () => {
    const { page } = desk.ada
    await go(page, /button "Actions for Shop"/)
    await page.keyboard.press("Enter")
    await page.getByRole("menu").waitFor()
    await arrives(page, /menuitem/)
    await go(page, /menuitem "Revoke/, "ArrowDown")
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor()
    await page.keyboard.press("Escape")
    assert.match(await arrives(page, /button "Actions for Shop"/), /button "Actions for Shop"/)
  })

  it("makes an endpoint and sends it a test event", async () => {
    const { page } = desk.ada
    const { seen, url } = desk.receiver.hook(Receiver.status(200))
    await go(page, /link "Webhook endpoints"/, "Shift+Tab")
    await page.keyboard.press("Enter")
    await arrives(page, /heading "Webhook endpoints"/)
    await go(page, /button "Create endpoint"/)
    await page.keyboard.press("Enter")
    await arrives(page, /textbox "URL/)
    await page.keyboard.type(url)
    await page.keyboard.press("Enter")
    await arrives(page, /button "Copy"/)
    await go(page, /button "(I have saved it|Done)"/)
    await page.keyboard.press("Enter")
    await arrives(page, /heading "127\.0\.0\.1/)
    await go(page, /button "Send test event"/)
    await page.keyboard.press("Enter")
    await arrives(page, /combobox "Event"/)
    await page.keyboard.press("d")
    await go(page, /button "Send test event"/)
    await page.keyboard.press("Enter")
    await page.getByText(/Answered with status 200/).waitFor()
    assert.match(seen[0]?.headers["x-service-event"]?.toString() ?? "", /^d/)
    await page.keyboard.press("Escape")
    assert.match(await arrives(page, /button "Send test event"/), /button "Send test event"/)
  })

  it("is left", async () => {
    const { page } = desk.ada
    await go(page, /button ".*profile/, "Shift+Tab")
    await page.keyboard.press("Enter")
    assert.match(await arrives(page, /menuitem/), /menuitem/)
    await go(page, /menuitem "Sign out"/, "ArrowDown")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    assert.deepStrictEqual(desk.ada.faults, [])
  })
})
