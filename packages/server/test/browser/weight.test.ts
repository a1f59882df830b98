/** What the pages weigh. */
import { mkdir, writeFile } from "node:fs/promises"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import * as Server from "../blackbox/Server.ts"
import { admin, launch, SCREENSHOTS } from "./Browser.ts"

const chromium = inject("chromium")

/** Bytes of JavaScript of a page at most, compressed as they are served. */
const MOST = 250_000
/** Pages that are loaded at the same time. */
const AT_ONCE = 4

const id = crypto.randomUUID()
/** Pages that no link in the navigation leads to. What there is to see does not matter: their code comes first. */
const others = [`/dashboard/webhook-endpoints/${id}`, `/dashboard/deliveries/${id}`, "/dashboard/sign-up"]

/** The bytes of JavaScript that a page loads by itself, each file once, as they came over the wire. */
const WEIGHT = `[...new Map(performance.getEntriesByType("resource")
  .filter(({ name }) => name.endsWith(".js")).map(({ name, encodedBodySize }) => [name, encodedBodySize])).values()]
  .reduce((sum, bytes) => sum + bytes, 0)`

/** The page is there once it says anything: until then more may be on its way, however long nothing comes. */
const load = async (page: Page, path: string): Promise<void> => {
  await page.goto(path)
  await page.getByRole("heading", { level: 1 }).waitFor()
  await page.waitForLoadState("networkidle")
}

const weigh = async (page: Page, path: string): Promise<number> => {
  await load(page, path)
  return Number(await page.evaluate(WEIGHT))
}

// Skipped where there is no Chromium and none can be installed; the set-up has said so.
describe.skipIf(chromium === null)("the pages", () => {
  let server: Server.Server
  let browser: Browser
  let ada: BrowserContext
  const lines: Array<string> = []

  beforeAll(async () => {
    server = await Server.start({ TC_STORE: "memory", ...admin })
    browser = await launch(chromium ?? "")
    ada = await browser.newContext({ baseURL: server.url })
    const data = { email: admin.TC_ADMIN_EMAIL, password: admin.TC_ADMIN_PASSWORD }
    await ada.request.post("/dashboard/api/v1/session", { data, headers: { origin: server.url } })
  })

  afterAll(async () => {
    await mkdir(SCREENSHOTS, { recursive: true })
    await writeFile(`${SCREENSHOTS}weights.txt`, lines.join(""))
    await browser.close()
    await server.stop()
  })

  /** Written where people look at the pages, and printed. */
  const tell = (line: string) => {
    lines.push(`${line}\n`)
    process.stdout.write(`${line}\n`)
  }

  it(`load less than ${MOST / 1000} kB of JavaScript, the sign-in first of all`, async () => {
    const nobody = await browser.newContext({ baseURL: server.url })
    const first = await nobody.newPage()
    const signIn = await weigh(first, "/dashboard")
    assert.match(first.url(), /sign-in/)
    tell(`sign-in: ${Math.round(signIn / 1000)} kB`)
    assert.isBelow(signIn, MOST)
    assert.isAbove(signIn, 0)
    await nobody.close()
  })

  it(`load less than ${MOST / 1000} kB of JavaScript after it, each of them`, async () => {
    const home = await ada.newPage()
    await load(home, "/dashboard")
    const links = await home.getByRole("navigation").locator("a[href^='/dashboard']").all()
    const paths = await Promise.all(links.map(async (link) => (await link.getAttribute("href")) ?? ""))
    await home.close()
    assert.isAbove(paths.length, 4)
    const left = [...new Set([...paths, ...others])]
    const heavy: Array<string> = []
    const work = async () => {
      for (let path = left.shift(); path !== undefined; path = left.shift()) {
        const page = await ada.newPage()
        const bytes = await weigh(page, path)
        tell(`${path.replace(id, ":id")}: ${Math.round(bytes / 1000)} kB`)
        if (bytes >= MOST || bytes === 0) heavy.push(`${path}: ${bytes}`)
        await page.close()
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    assert.deepStrictEqual(heavy, [])
  })
})
