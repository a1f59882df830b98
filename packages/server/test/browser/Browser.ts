/** Chromium, as somebody sits before it: one window for each person, and whatever is wrong with the page is a failure. */
import { AxeBuilder } from "@axe-core/playwright"
import { mkdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { type Browser, chromium, type Page } from "playwright-core"
import { assert } from "vitest"

/** Where what the pages look like is kept, for people to look at. */
const SCREENSHOTS = fileURLToPath(new URL("../../screenshots/", import.meta.url))

export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    // Whoever runs the tests may be root, or have no home.
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    env: { PATH: process.env["PATH"] ?? "", HOME: tmpdir() },
  })

/** A window of a person of their own, at the pages of a server. `faults` is what the browser complained of. */
export const open = async (browser: Browser, origin: string) => {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 1_280, height: 800 },
    permissions: ["clipboard-read", "clipboard-write"],
    reducedMotion: "reduce",
  })
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  const faults: Array<string> = []
  page.on("pageerror", (error) => faults.push(error.message))
  page.on("console", (message) => {
    // An answer of 4xx is told of on the page.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) faults.push(message.text())
  })
  return { context, page, faults }
}

export type Window = Awaited<ReturnType<typeof open>>

const widths = { narrow: 360, wide: 1_440 }
const schemes = ["light", "dark"] as const

/** Looks at a page in every scheme and width: nothing that axe finds against WCAG 2.2 AA, and nothing wider than the window. */
export const inspect = async (page: Page, name: string): Promise<void> => {
  await mkdir(SCREENSHOTS, { recursive: true })
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    for (const [word, width] of Object.entries(widths)) {
      await page.setViewportSize({ width, height: 800 })
      await page.waitForTimeout(150)
      await page.screenshot({ path: `${SCREENSHOTS}${name}-${colorScheme}-${word}.png`, fullPage: true })
      const over = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
      assert.isAtMost(Number(over), 0, `${name} is wider than ${width} px`)
    }
    const axe = new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
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
