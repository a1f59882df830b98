/** A webhook endpoint as somebody works with it: made, tested, broken, seen why, repaired, and sent what it missed. */
import { verify } from "@tc/webhooks/verify"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import * as Receiver from "../blackbox/Receiver.ts"
import { until } from "../blackbox/Until.ts"
import { inspect } from "./Browser.ts"
import * as Desk from "./Desk.ts"

const chromium = inject("chromium")

// Skipped where there is no Chromium and none can be installed; the set-up has said so.
describe.skipIf(chromium === null)("a webhook endpoint, in a browser", () => {
  let desk: Desk.Desk
  let hook: Receiver.Hook

  /** Something happens that the endpoint subscribes to. */
  const happen = (name: string) =>
    desk.api.create("assets", {
      name,
      asset_type: "clipart",
      metadata: { note: "<script>alert(1)</script>" },
    })

  beforeAll(async () => {
    desk = await Desk.signedIn(chromium, { TC_WEBHOOK_DISABLE_AFTER: "1" })
    hook = desk.receiver.hook(Receiver.status(200))
  })

  afterAll(() => desk.leave())

  it("is made, for all events, and shows its secret", async () => {
    const { page } = desk.ada
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
    await page.getByRole("heading", { name: /127\.0\.0\.1/ }).waitFor()
    await page.getByText("Order desk").first().waitFor()
    await page.getByRole("link", { name: "Webhook endpoints" }).first().click()
    await page.getByText("Order desk").first().waitFor()
    await inspect(page, "endpoints")
  })

  it("is sent a test event that somebody has edited, and tells what came of it", async () => {
    const { page } = desk.ada
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
    const { page } = desk.ada
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
    const { page } = desk.ada
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
    // What had failed was missed as well.
    for (const name of ["Missed", "Lost"]) {
      await until(`${name} is sent`, () =>
        hook.seen.slice(before).some(({ body }) => body.event === "asset.created" && body.data.name === name),
      )
    }
    await page.getByText("This endpoint was disabled because").waitFor({ state: "detached" })
    assert.isFalse(hook.seen.slice(before).some(({ body }) => body.event === "store.created"))
  })

  it("has all its deliveries in one table, to be narrowed", async () => {
    const { page } = desk.ada
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

  /** Opens a dialog of the endpoint from its menu. */
  const choose = async (action: string) => {
    await desk.ada.page.getByRole("button", { name: "More actions" }).click()
    await desk.ada.page.getByRole("menuitem", { name: action }).click()
    return desk.ada.page.getByRole("dialog")
  }

  /** What an asset of that name was told with, once it has come in. */
  const received = async (name: string) => {
    await happen(name)
    const found = await until(
      `${name} has come in`,
      () => hook.seen.find(({ body }) => body.data.name === name) ?? null,
    )
    return { headers: found.headers, body: found.text }
  }

  it("is sent again what it missed, though nobody disabled it", async () => {
    const { page } = desk.ada
    await page.goBack()
    await page.getByRole("link", { name: "Webhook endpoints" }).first().click()
    await page
      .getByRole("link", { name: /127\.0\.0\.1/ })
      .first()
      .click()
    const dialog = await choose("Send what it missed …")
    await dialog.getByLabel("Events of").selectOption("The last 7 days")
    await inspect(page, "endpoint-recover")
    await dialog.getByRole("button", { name: "Send what it missed" }).click()
    await page.getByText("What the endpoint missed is being sent.").waitFor()
    await dialog.waitFor({ state: "detached" })
    assert.include(page.url(), "/webhook-endpoints/")
  })

  it("is edited", async () => {
    const { page } = desk.ada
    await page.getByRole("link", { name: "Webhook endpoints" }).first().click()
    await page
      .getByRole("link", { name: /127\.0\.0\.1/ })
      .first()
      .click()
    await page.getByRole("button", { name: "Edit" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Description").fill("Print desk")
    await inspect(page, "endpoint-edit")
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.waitFor({ state: "detached" })
    await page.getByText("Print desk").first().waitFor()
    assert.strictEqual(await page.getByText("Order desk").count(), 0)
  })

  it("shows its secret to who asks, and signs with the next and with this while both are valid", async () => {
    const { page } = desk.ada
    const revealing = await choose("Reveal the secret …")
    await revealing.getByRole("button", { name: "Reveal the secret" }).click()
    await revealing.getByRole("button", { name: "Copy" }).waitFor()
    const old = await revealing.getByRole("textbox").inputValue()
    await revealing.getByRole("button", { name: "Done" }).click()
    const rotating = await choose("Rotate the secret …")
    await inspect(page, "endpoint-rotate")
    await rotating.getByRole("button", { name: "Rotate secret" }).click()
    await rotating.getByRole("button", { name: "Copy" }).waitFor()
    const secret = await rotating.getByRole("textbox").inputValue()
    await rotating.getByRole("button", { name: "Done" }).click()
    assert.notStrictEqual(secret, old)
    const both = await received("Signed twice")
    assert.isTrue((await verify(both, old)).ok)
    assert.isTrue((await verify(both, secret)).ok)
    await (await choose("Rotate the secret …")).getByLabel("Stop it now").check()
    await page.getByRole("button", { name: "Rotate secret" }).click()
    await page.getByRole("button", { name: "Done" }).click()
    const one = await received("Signed once")
    assert.isFalse((await verify(one, secret)).ok)
    await page.goto("/dashboard/audit-log")
    await page.getByRole("row").filter({ hasText: "looked at the signing secret" }).first().waitFor()
    assert.notInclude(await page.content(), old.slice("whsec_".length))
  })

  it("is disabled by hand and enabled without what it missed, and is gone once somebody has confirmed it", async () => {
    const { page } = desk.ada
    await page.goBack()
    const disabling = await choose("Disable …")
    await inspect(page, "endpoint-disable")
    await disabling.getByRole("button", { name: "Disable endpoint" }).click()
    await page.getByText("Disabled", { exact: true }).first().waitFor()
    await happen("Not wanted")
    const enabling = await choose("Enable …")
    await enabling.getByLabel(/Send what it missed/).uncheck()
    await enabling.getByRole("button", { name: "Enable endpoint" }).click()
    await page.getByText("Active", { exact: true }).first().waitFor()
    await received("Wanted")
    assert.isFalse(hook.seen.some(({ body }) => body.data.name === "Not wanted"))
    const removing = await choose("Delete …")
    await inspect(page, "endpoint-delete")
    await removing.getByRole("button", { name: "Cancel" }).click()
    await (await choose("Delete …")).getByRole("button", { name: "Delete endpoint" }).click()
    await page.getByText("No webhook endpoints yet").waitFor()
  })

  it("gives the browser nothing to complain of", () => {
    assert.deepStrictEqual(desk.ada.faults, [])
  })
})
