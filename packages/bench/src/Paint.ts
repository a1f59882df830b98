/** The figure of the dashboard: how soon its first page is painted, beside an empty page in the same browser. */
import { existsSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { type Browser, chromium } from "playwright-core"
import * as Database from "./Database.ts"
import * as Figure from "./Figure.ts"
import * as HttpApi from "./HttpApi.ts"

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** Milliseconds from the request to the first text or picture. */
const PAINTED = `new Promise((resolve) => new PerformanceObserver((list) => {
  for (const { name, startTime } of list.getEntries()) if (name === "first-contentful-paint") resolve(startTime)
}).observe({ type: "paint", buffered: true }))`

/** In a window of its own, with nothing kept from before. */
const painted = async (browser: Browser, url: string): Promise<number> => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  const ms = Number(await page.evaluate(PAINTED))
  await context.close()
  return ms
}

/** A page of one word. */
const empty = async () => {
  const server = createServer((_, response) =>
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Empty</title><p>Empty"),
  )
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

/** Measures the page that comes before signing in; yields its line, or none where there is no Chromium. */
export async function* figures(ours: string): AsyncGenerator<string> {
  const executablePath = [process.env["TC_TEST_CHROMIUM"] ?? "", ...places].find((path) => existsSync(path))
  if (executablePath === undefined) return
  const api = await HttpApi.start(ours, await Database.create())
  const { url, server } = await empty()
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] })
  try {
    const rounds = await Figure.alternate(
      () => painted(browser, url),
      () => painted(browser, `${api.url}/dashboard`),
    )
    yield Figure.line({ name: "first paint of the dashboard", unit: "ms", target: { ms: 1_000 }, ...rounds })
  } finally {
    await browser.close()
    server.close()
    await api.stop()
  }
}
