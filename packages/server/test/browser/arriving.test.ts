/** Pages whose answers are on their way: what somebody has their hand on stays, and where it is, whatever comes in. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import * as Receiver from "../blackbox/Receiver.ts"
import { until } from "../blackbox/Until.ts"
import * as Desk from "./Desk.ts"

const chromium = inject("chromium")

/** Pages that are looked at at the same time. */
const AT_ONCE = 4

/** Holds back every answer but who is signed in, until the function that it answers with lets them in. */
const hold = async (page: Page): Promise<() => void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/dashboard\/api\/v1\/(?!session)/, async (route) => {
    await promise
    // The page may have gone meanwhile.
    await route.continue().catch(() => null)
  })
  return resolve
}

/** What can be pressed or filled in on a page, each with its name and its place. */
const WITHIN = "main :is(a[href], button, input, select, textarea, [tabindex='0']):not(:disabled)"
const STOPS = `[...document.querySelectorAll(${JSON.stringify(WITHIN)})].map((element) => {
  const { x, y } = element.getBoundingClientRect()
  const name = element.getAttribute("aria-label") ?? element.labels?.[0]?.innerText ?? element.innerText
  return { element, name, place: [x, y].map(Math.round).join() }
})`

/** Until all that was asked for is drawn. */
const settled = async (page: Page): Promise<void> => {
  await page.waitForLoadState("networkidle")
  await page.locator("main").locator(".mantine-Skeleton-root, [aria-busy=true]").first().waitFor({ state: "detached" })
}

// Skipped where there is no Chromium and none can be installed; the set-up has said so.
describe.skipIf(chromium === null)("while answers are on their way", () => {
  let desk: Desk.Desk

  const create = async (path: string, fields: object): Promise<string> => (await desk.api.create(path, fields)).id

  /** What there was to press on a page before its answers came in, and is gone after, or elsewhere. */
  const lost = async (path: string): Promise<ReadonlyArray<string>> => {
    const page = await desk.ada.context.newPage()
    const release = await hold(page)
    await page.goto(`/dashboard/${path}`)
    await page.locator("main h1").waitFor()
    await page.evaluate(`globalThis.before = ${STOPS}`)
    release()
    await settled(page)
    const found = await page.evaluate(`(() => {
      const after = ${STOPS}
      return before.flatMap(({ element, name, place }) => {
        const now = after.find((one) => one.element === element)
        return now?.place === place ? [] : [name + (now === undefined ? " is gone" : " was at " + place + " and is at " + now.place)]
      })
    })()`)
    await page.close()
    return (found as ReadonlyArray<string>).map((line) => `${path}: ${line}`)
  }

  const lists = [
    "overview",
    "api-keys",
    "webhook-endpoints",
    "deliveries",
    "deliveries?status=failed",
    "members",
    "audit-log",
    ...["stores", "products", "print_areas", "templates", "designs", "assets"].map((kind) => `catalogue/${kind}`),
  ]

  const allLost = async (paths: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    const left = [...paths]
    const found: Array<string> = []
    const work = async () => {
      for (let path = left.shift(); path !== undefined; path = left.shift()) found.push(...(await lost(path)))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    return found
  }

  beforeAll(async () => {
    desk = await Desk.signedIn(chromium, { TC_WEBHOOK_DISABLE_AFTER: "1" })
  })

  afterAll(() => desk.leave())

  it("the button that creates the first endpoint keeps the focus, and opens its dialog", async () => {
    const page = await desk.ada.context.newPage()
    const release = await hold(page)
    await page.goto("/dashboard/webhook-endpoints")
    const button = page.getByRole("button", { name: "Create endpoint" })
    await button.focus()
    release()
    await page.getByText("No webhook endpoints yet").waitFor()
    assert.strictEqual(await page.locator(":focus").innerText(), "Create endpoint")
    assert.strictEqual(await button.count(), 1)
    await page.keyboard.press("Enter")
    await page.getByRole("dialog", { name: "Create a webhook endpoint" }).waitFor()
    await page.close()
  })

  it("nothing that can be pressed goes away or moves in lists that turn out to be empty", async () => {
    assert.deepStrictEqual(await allLost(lists), [])
  })

  it("nothing that can be pressed goes away or moves in lists that turn out to have something, or for one of it", async () => {
    const hook = desk.receiver.hook(Receiver.status(500))
    const good = desk.receiver.hook(Receiver.status(200))
    const endpoint = await create("webhook_endpoints", { url: hook.url, events: ["asset.created"] })
    await create("webhook_endpoints", { url: good.url, events: ["store.created"] })
    const asset = await create("assets", { name: "Star", asset_type: "clipart" })
    const store = await create("stores", { name: "Riverside Prints", platform: "swell" })
    const product = await create("products", { name: "Tee", store_id: store })
    await create(`products/${product}/print_areas`, { name: "Front", width_px: 3600, height_px: 4800 })
    const { page } = desk.ada
    await page.goto(`/dashboard/webhook-endpoints/${endpoint}`)
    await page.getByText("This endpoint was disabled because its deliveries failed").waitFor()
    await page.getByRole("link", { name: "asset.created" }).first().click()
    await page.getByRole("heading", { name: "asset.created" }).waitFor()
    const delivery = new URL(page.url()).pathname.replace("/dashboard/", "")
    await until("the other is delivered", () => good.seen.length > 0)
    const ones = [
      `webhook-endpoints/${endpoint}`,
      delivery,
      `catalogue/assets/${asset}`,
      `catalogue/products/${product}`,
    ]
    assert.deepStrictEqual(await allLost([...lists, ...ones]), [])
  })

  it("no endpoint is offered that somebody searches for no more", async () => {
    const page = await desk.ada.context.newPage()
    await page.goto("/dashboard/deliveries")
    const choice = page.getByRole("combobox", { name: "Endpoint" })
    await choice.click()
    const offered = page.getByRole("option", { name: /\/hooks\// })
    await offered.nth(1).waitFor()
    const release = await hold(page)
    await page.keyboard.type("/hooks/1")
    await page.getByText("Searching …").waitFor()
    assert.strictEqual(await offered.count(), 0)
    release()
    await offered.waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.waitForURL(/endpoint_id=/)
    await page.close()
  })

  it("the button that asks again keeps the focus until the answer is there", async () => {
    const page = await desk.ada.context.newPage()
    const url = /\/dashboard\/api\/v1\/api_keys/
    await page.route(url, (route) => route.fulfill({ status: 400, json: { code: "broken" } }))
    await page.goto("/dashboard/api-keys")
    await page.getByRole("button", { name: "Try again" }).focus()
    await page.unroute(url)
    const release = await hold(page)
    const asked = page.waitForRequest(url)
    await page.keyboard.press("Enter")
    await asked
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))")
    assert.strictEqual(await page.locator(":focus").innerText(), "Try again")
    release()
    await page.getByRole("region", { name: "API keys" }).waitFor()
    await page.close()
  })

  it("give the browser nothing to complain of", () => {
    assert.deepStrictEqual(desk.ada.faults, [])
  })
})
