/** The catalogue as somebody browses it: from an empty list to a design, its picture, and what led to it. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { inspect, signIn } from "./Browser.ts"
import * as Desk from "./Desk.ts"
import { hostile } from "./HostileCanvas.ts"
import { pixels } from "./Pixels.ts"

const chromium = inject("chromium")

// Skipped where there is no Chromium and none can be installed; the set-up has said so.
describe.skipIf(chromium === null)("the catalogue, in a browser", () => {
  let desk: Desk.Desk

  /** What the tests share: a product, and its print areas in their order. */
  const shop = { product: "", areas: new Array<string>() }

  beforeAll(async () => {
    desk = await Desk.signedIn(chromium)
  })

  afterAll(() => desk.leave())

  it("says how to create what is not there yet", async () => {
    const { page } = desk.ada
    await page.getByRole("link", { name: "Stores" }).first().click()
    await page.getByText("No stores yet").waitFor()
    assert.include(await page.getByRole("region", { name: "Example" }).innerText(), `${desk.server.url}/api/v1/stores`)
    await inspect(page, "stores-none")
  })

  it("is browsed from a store to its products and their print areas", async () => {
    const { page } = desk.ada
    const store = await desk.api.create("stores", {
      name: "Riverside Prints",
      platform: "swell",
      domain: "riverside.example",
    })
    const evil = await desk.api.create("stores", { name: "<img src=x onerror=alert(1)>", platform: "x".repeat(64) })
    const product = await desk.api.create("products", {
      name: "Heavyweight tee",
      store_id: store.id,
      description: "Made to order.",
      base_image_url: "https://cdn.riverside.example/tee.png",
      variants: [{ size: "M", color: "navy" }],
    })
    await desk.api.create("products", { name: "Mug", store_id: evil.id, customizable: false })
    for (const name of ["Front", "Back"]) {
      const bounds = { x: 420, y: 310, width: 360, height: 480 }
      const { id } = await desk.api.create(`products/${product.id}/print_areas`, {
        name,
        width_px: 3600,
        height_px: 4800,
        bounds,
      })
      shop.areas.push(id)
    }
    shop.product = product.id
    await page.reload()
    await page.getByText("Riverside Prints").first().waitFor()
    await inspect(page, "stores")
    await page.getByRole("link", { name: "Riverside Prints" }).click()
    await page.getByText("riverside.example").first().waitFor()
    await page.getByRole("link", { name: "Products of this store" }).click()
    await page.getByRole("link", { name: "Heavyweight tee" }).waitFor()
    assert.strictEqual(await page.getByText("Mug").count(), 0)
    const choice = page.getByRole("combobox", { name: "Store" })
    assert.strictEqual(await choice.inputValue(), "Riverside Prints")
    await choice.fill("onerror")
    await page.getByRole("option", { name: /<img/ }).click()
    await page.getByRole("link", { name: "Mug" }).waitFor()
    await page.goBack()
    await page.getByRole("link", { name: "Heavyweight tee" }).click()
    await page.getByRole("link", { name: "Front" }).waitFor()
    await page.getByText("navy").waitFor()
    await page.getByRole("link", { name: "Riverside Prints" }).waitFor()
    await inspect(page, "product")
    await page.getByRole("link", { name: "Front" }).click()
    await page.getByText("3,600 × 4,800 px").waitFor()
  })

  it("is searched as somebody types, and the search stands in the address", async () => {
    const { page } = desk.ada
    const star = await desk.api.create("assets", { name: "Star", asset_type: "clipart", metadata: { points: 5 } })
    await desk.api.create("assets", { name: "2024", asset_type: "font" })
    await page.goto("/dashboard/catalogue/assets")
    await page.getByRole("link", { name: "Star" }).waitFor()
    await page.getByLabel("Search by name").fill("2024")
    await page.getByRole("link", { name: "Star" }).waitFor({ state: "detached" })
    await page.getByRole("link", { name: "2024" }).waitFor()
    await page.reload()
    assert.strictEqual(await page.getByLabel("Search by name").inputValue(), "2024")
    await page.getByLabel("Search by name").fill("nothing of the kind")
    await page.getByText("No assets like this").waitFor()
    await page.getByLabel("Search by name").fill(star.id)
    await page.getByRole("link", { name: "Open the asset with this id" }).click()
    await page.getByRole("heading", { name: "Star" }).waitFor()
    await page.goBack()
    await page.getByRole("button", { name: "Show all" }).click()
    await page.getByRole("link", { name: "Star" }).waitFor()
    assert.strictEqual(await page.getByLabel("Search by name").inputValue(), "")
    await page.getByLabel("Type").selectOption("font")
    await page.getByRole("link", { name: "Star" }).waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Show all" }).click()
    await page.getByRole("link", { name: "Star" }).click()
    await page.getByText(/"points": 5/).waitFor()
  })

  it("shows all at once, whatever search was waiting for a pause", async () => {
    // A clock is that of all pages of a window.
    const { context, page } = await desk.window()
    await page.clock.install()
    await signIn(page, "/dashboard/catalogue/assets?asset_type=font")
    await page.getByRole("link", { name: "2024" }).waitFor()
    await page.clock.pauseAt(Date.now() + 3_600_000)
    await page.getByLabel("Search by name").fill("nothing of the kind")
    await page.getByRole("button", { name: "Show all" }).click()
    await page.clock.runFor(1_000)
    await page.clock.resume()
    await page.getByRole("link", { name: "Star" }).waitFor()
    assert.strictEqual(await page.getByLabel("Search by name").inputValue(), "")
    assert.strictEqual(new URL(page.url()).search, "")
    await context.close()
  })

  it("draws a design with Fabric.js where its print area has it", async () => {
    const { page } = desk.ada
    const { areas, product } = shop
    const red = { type: "Rect", left: 1800, top: 1200, width: 1800, height: 1200, fill: "#ff0000", strokeWidth: 0 }
    const label = {
      type: "Textbox",
      left: 1800,
      top: 3600,
      text: "Hello <b>you</b>",
      fontFamily: "Bitter",
      fontSize: 400,
    }
    const front = { version: "7.4.0", objects: [red, label] }
    const design = await desk.api.create("designs", { product_id: product, session_token: "a-customer-at-the-counter" })
    await desk.api.modify(`designs/${design.id}`, { canvas_data: { [areas[0] ?? ""]: front } })
    await desk.api.act(`designs/${design.id}/finalize`)
    await page.goto("/dashboard/catalogue/designs")
    assert.strictEqual(await page.getByText("a-customer-at-the-counter").count(), 0)
    await page.getByRole("link", { name: "a-customer-a…" }).click()
    await page.getByRole("img", { name: "Front, drawn: 2 objects" }).waitFor()
    await page.getByText("Nothing is drawn on Back").waitFor()
    await page.getByText("design.created").waitFor()
    // The area is 3,600 pixels wide; the rectangle is around a quarter of its height, as wide as its middle half.
    const colours = await pixels(page, [
      [0.5, 0.25],
      [0.28, 0.16],
      [0.2, 0.25],
      [0.5, 0.45],
    ])
    assert.deepStrictEqual(colours, ["255,0,0,255", "255,0,0,255", "0,0,0,0", "0,0,0,0"])
    const happened = await page.getByText(/^design\.[a-z]+$/).allInnerTexts()
    assert.deepStrictEqual(happened, ["design.finalized", "design.updated", "design.created"])
    await inspect(page, "design")
  })

  it("keeps the picture while it is looked at, and weighs a canvas anew that is changed meanwhile", async () => {
    const { areas, product } = shop
    const rect = { type: "Rect", width: 900, height: 900 }
    const drawn = (objects: ReadonlyArray<object>) => ({ canvas_data: { [areas[0] ?? ""]: { objects } } })
    const { id } = await desk.api.create("designs", {
      product_id: product,
      session_token: "looked-at",
      ...drawn([rect]),
    })
    const page = await desk.ada.context.newPage()
    await page.goto(`/dashboard/catalogue/designs/${id}`)
    await page.getByRole("img", { name: "Front, drawn: 1 object" }).waitFor()
    const picture = await page.locator(".sheet canvas").elementHandle()
    let hours = 0
    /** Somebody comes back to the page after an hour, which asks for the record again. */
    const comeBack = async () => {
      const answered = page.waitForResponse((response) => response.url().endsWith(`designs/${id}`))
      await page.clock.setSystemTime(Date.now() + ++hours * 3_600_000)
      await page.evaluate(`window.dispatchEvent(new Event("visibilitychange"))`)
      await (await answered).finished()
    }
    await desk.api.modify(`designs/${id}`, { metadata: { seen: true } })
    await comeBack()
    await page.getByText(/"seen": true/).waitFor()
    await comeBack()
    assert.isTrue(await picture?.evaluate((element) => (element as unknown as { isConnected: boolean }).isConnected))
    await desk.api.modify(`designs/${id}`, drawn(Array.from({ length: 3_000 }, () => rect)))
    await comeBack()
    await page.getByRole("button", { name: "Draw it" }).waitFor()
    await desk.api.modify(`designs/${id}`, drawn([rect, rect]))
    await comeBack()
    await page.getByRole("img", { name: "Front, drawn: 2 objects" }).locator("canvas").waitFor()
    await page.close()
  })

  it("lets nothing in a hostile canvas run, load or hold up the page, and says what is missing", async () => {
    const { page } = desk.ada
    const asked: Array<string> = []
    page.on("request", (request) => asked.push(request.url()))
    page.on("dialog", (dialog) => {
      asked.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    const script = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    const away = "https://tracker.example/pixel.png"
    const objects = hostile(script, away)
    const canvas = { version: "7.4.0", objects, width: 1e9, renderOnAddRemove: true, background: `url(${away})` }
    const { id } = await desk.api.create("designs", {
      product_id: shop.product,
      session_token: script,
      metadata: { [script]: "javascript:alert(1)" },
      preview_url: away,
      canvas_data: {
        [script]: canvas,
        [shop.areas[1] ?? ""]: { objects: Array.from({ length: 3_000 }, () => objects[2]) },
      },
    })
    await page.goto(`/dashboard/catalogue/designs/${id}`)
    await page.getByText(/^7 pictures could not be loaded: this page loads nothing from other hosts/).waitFor()
    await page.getByText(/objects? could not be drawn/).waitFor()
    await inspect(page, "design-hostile")
    await page.getByRole("button", { name: "Draw it" }).click()
    await page.getByRole("img", { name: "Back, drawn: 3,000 objects" }).waitFor()
    assert.deepStrictEqual(
      asked.filter((url) => !url.startsWith(desk.server.url) && !url.startsWith("data:")),
      [],
    )
  })

  it("gives the browser nothing to complain of", () => {
    assert.deepStrictEqual(desk.ada.faults, [])
  })
})
