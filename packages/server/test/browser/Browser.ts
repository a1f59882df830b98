/** Chromium, as somebody sits before it: one window for each person, and whatever is wrong with the page is a failure. */
import { AxeBuilder } from "@axe-core/playwright"
import { rmSync } from "node:fs"
import { mkdir, mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Browser, chromium, type Page } from "playwright-core"
import { assert } from "vitest"
import { DEADLINE_MS } from "../blackbox/Until.ts"

/** Where what the pages look like is kept, for people to look at. */
export const SCREENSHOTS = fileURLToPath(new URL("../../screenshots/", import.meta.url))

export const launch = async (executablePath: string): Promise<Browser> => {
  // Whoever runs the tests may have no home, and others of this machine are not to find what Chromium leaves behind.
  const home = await mkdtemp(join(tmpdir(), "tc-chromium-"))
  const browser = await chromium.launch({
    executablePath,
    // They may be root, too.
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    env: { PATH: process.env["PATH"] ?? "", HOME: home, TMPDIR: home },
  })
  browser.on("disconnected", () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))
  return browser
}

/** A window of a person of their own, at the pages of a server. `faults` is what the browser complained of. */
export const open = async (browser: Browser, origin: string) => {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 1_280, height: 800 },
    permissions: ["clipboard-read", "clipboard-write"],
    reducedMotion: "reduce",
  })
  context.setDefaultTimeout(DEADLINE_MS)
  const page = await context.newPage()
  const faults: Array<string> = []
  page.on("pageerror", (error) => faults.push(error.message))
  page.on("console", (message) => {
    // An answer of 4xx is told of on the page.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) faults.push(message.text())
  })
  return { context, page, faults }
}

/** What a button that copies has put into the clipboard, once it says that it has. */
export const copied = async (page: Page, name: string): Promise<string> => {
  const done = page.getByRole("button", { name: "Copied" })
  await done.waitFor({ state: "detached" })
  await page.getByRole("button", { name, exact: true }).click()
  await done.waitFor()
  return String(await page.evaluate("navigator.clipboard.readText()"))
}

/** What a server is started with that is to have an owner, Ada, from the start. */
export const admin = { TC_ADMIN_EMAIL: "ada@example.com", TC_ADMIN_PASSWORD: "correct horse battery" }

/** Signs her in on her way to an address. */
export const signIn = async (page: Page, address = "/dashboard"): Promise<void> => {
  await page.goto(address)
  await page.getByLabel("E-mail").fill(admin.TC_ADMIN_EMAIL)
  await page.getByLabel(/^Password/).fill(admin.TC_ADMIN_PASSWORD)
  await page.getByLabel(/^Password/).press("Enter")
}

export type Window = Awaited<ReturnType<typeof open>>

const widths = { narrow: 360, wide: 1_440 }
const schemes = ["light", "dark"] as const

/** Until the page is drawn in another width or scheme, and what moves has come to its end, but for what goes on for ever. */
const SETTLED = `(async () => {
  const drawn = () => new Promise((next) => requestAnimationFrame(() => setTimeout(next)))
  await drawn()
  await drawn()
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
  await Promise.all(ending.map(({ finished }) => finished.catch(() => null)))
  await drawn()
})()`

/** All that is required in the first scheme; in the second, what goes by its colours. */
const judge = (page: Page, scheme: (typeof schemes)[number]): AxeBuilder => {
  // There are no frames, for which axe would open a page of its own each time.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  return scheme === schemes[0]
    ? axe.withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    : axe.withRules(["color-contrast", "link-in-text-block"])
}

/** Looks at a page in every scheme and width: nothing that axe finds against WCAG 2.2 AA, and nothing wider than the window. */
export const inspect = async (page: Page, name: string): Promise<void> => {
  await mkdir(SCREENSHOTS, { recursive: true })
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    for (const [word, width] of Object.entries(widths)) {
      await page.setViewportSize({ width, height: 800 })
      await page.evaluate(SETTLED)
      await page.screenshot({ path: `${SCREENSHOTS}${name}-${colorScheme}-${word}.png`, fullPage: true })
      const over = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
      assert.isAtMost(Number(over), 0, `${name} is wider than ${width} px`)
    }
    const axe = judge(page, colorScheme)
    // What lies behind a dialog is not to be had, and blurred.
    const isOpen = (await page.getByRole("dialog").count()) > 0
    const { violations } = await (isOpen ? axe.include("[role=dialog]") : axe).analyze()
    assert.deepStrictEqual(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`),
      [],
      `${name}, ${colorScheme}`,
    )
  }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize({ width: 1_280, height: 800 })
}
