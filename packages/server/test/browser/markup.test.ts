/** Markup in every place where somebody can write it and another reads it: it is shown as it was written, and does nothing. */
import { Effect, Layer } from "effect"
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { Sender } from "../../src/index.ts"
import { until } from "../blackbox/Until.ts"
import { launch, type Window } from "./Browser.ts"
import * as Site from "./Site.ts"

const chromium = inject("chromium")

const MARKUP = `</script><script>ran(1)</script><img src=x onerror=ran(2)><svg onload=ran(3)>"'{{ran(4)}}`
/** The same for what may have neither spaces nor capitals. */
const MAIL = `<img/src=x/onerror=ran(5)>@example.com`

/** And for what has to be a URL. */
const TAG = "<svg/onload=ran(6)>"

/** A receiver that answers everything with markup. */
const sender = Layer.succeed(Sender, {
  send: () =>
    Effect.succeed({
      started_at: "2026-11-22T12:00:00.000Z",
      duration_ms: 3,
      status_code: 500,
      error: null,
      response_excerpt: MARKUP,
      retry_after: null,
    }),
})

// Skipped where there is no Chromium and none can be installed; the set-up has said so.
describe.skipIf(chromium === null)("markup that somebody wrote", () => {
  let site: Site.Site
  let browser: Browser
  let ada: Window
  let endpoint: string
  let delivery: string

  beforeAll(async () => {
    site = await Site.start(sender)
    const { ada: person } = site
    const { body: invitation } = await person.post("invitations", { role: "viewer" })
    const member = { token: invitation.token, email: MAIL, name: MARKUP, password: Site.PASSWORD }
    assert.strictEqual((await person.post("sign_ups", member)).status, 201)
    await person.post("session", { email: "ada@example.com", password: Site.PASSWORD })
    await person.post("invitations", { role: "viewer", email: `b${MAIL}` })
    await person.post("api_keys", { name: MARKUP, scopes: ["read"] })
    const settings = { url: `https://hooks.example/?${TAG}`, description: MARKUP, events: ["*"] }
    const made = await person.post("webhook_endpoints", settings)
    assert.strictEqual(made.status, 201, JSON.stringify(made.body))
    endpoint = made.body.id
    const { key } = await site.key()
    const headers = { "content-type": "application/json", "x-api-key": key }
    const body = JSON.stringify({ name: MARKUP, asset_type: "clipart", metadata: { [MARKUP]: MARKUP } })
    assert.strictEqual((await fetch(`${site.origin}/api/v1/assets`, { method: "POST", headers, body })).status, 201)
    delivery = await until("the delivery was attempted", async () => {
      const [first] = (await person.ask("deliveries")).body.data
      return first?.attempt_count > 0 ? first.id : undefined
    })
    browser = await launch(chromium ?? "")
    ada = await Site.sitting(browser, site, person)
    await ada.page.exposeFunction("ran", (which: number) => ada.faults.push(`a script ran: ${which}`))
    ada.page.on("dialog", (dialog) => ada.faults.push(dialog.message()))
  })

  afterAll(async () => {
    await browser.close()
    await site.stop()
  })

  /** What is wrong with a page that shows these texts: what the browser complained of, and elements that a text has made. */
  const wrong = async (path: string, ...texts: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    const { page } = ada
    await page.goto(`/dashboard/${path}`)
    for (const text of texts) await page.getByText(text).filter({ visible: true }).first().waitFor()
    const made = await page.locator("img[src=x], svg[onload], body script:not([src])").all()
    return [...ada.faults, ...made.map(String)]
  }

  it("is a name of a key", async () => {
    assert.deepStrictEqual(await wrong("api-keys", MARKUP), [])
  })

  it("is the name and the address of a member, and whom an invitation is for", async () => {
    assert.deepStrictEqual(await wrong("members", MARKUP, MAIL, `b${MAIL}`), [])
  })

  it("is who did what, and to what", async () => {
    assert.deepStrictEqual(await wrong("audit-log", MARKUP, MAIL), [])
  })

  it("is what an endpoint is for, and part of its URL", async () => {
    assert.deepStrictEqual(await wrong("webhook-endpoints", MARKUP, TAG), [])
    assert.deepStrictEqual(await wrong(`webhook-endpoints/${endpoint}`, MARKUP, TAG), [])
  })

  it("is in what was sent, and in what came back", async () => {
    assert.deepStrictEqual(await wrong("deliveries", TAG), [])
    assert.deepStrictEqual(await wrong(`deliveries/${delivery}`, "ran(2)"), [])
    const text = (await ada.page.locator("main").innerText()).replaceAll('\\"', '"')
    assert.isAtLeast(text.split("<img src=x onerror=ran(2)>").length, 3)
  })

  it("is the name of who is signed in", async () => {
    const { page } = ada
    const { body } = await site.ada.post("invitations", { role: "viewer" })
    await page.goto(`/dashboard/sign-up#${body.token}`)
    await page.getByLabel("Name").fill(MARKUP)
    await page.getByLabel("E-mail").fill(`c${MAIL}`)
    await page.getByLabel(/^Password/).fill(Site.PASSWORD)
    await page.getByLabel(/^Password/).press("Enter")
    await page.getByRole("heading", { name: "Overview" }).waitFor()
    assert.deepStrictEqual(await wrong("api-keys", MARKUP), [])
  })
})
