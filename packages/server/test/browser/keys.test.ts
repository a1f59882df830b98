/** API keys as somebody works with them, and what the REST API makes of each at every step. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { copied, inspect } from "./Browser.ts"
import * as Desk from "./Desk.ts"

const chromium = inject("chromium")

const statusOf = async (url: string, key: string): Promise<number> =>
  (await fetch(`${url}/api/v1/stores`, { headers: { authorization: `Bearer ${key}` } })).status

// Skipped where there is no Chromium and none can be installed; the set-up has said so.
describe.skipIf(chromium === null)("API keys, in a browser", () => {
  let desk: Desk.Desk

  beforeAll(async () => {
    desk = await Desk.signedIn(chromium)
  })

  afterAll(() => desk.leave())

  it("are created, work, are shown once, and end", async () => {
    const { page } = desk.ada
    await page.goto("/dashboard/api-keys")
    await page.getByRole("button", { name: "Create key" }).click()
    await page.getByLabel("Name").fill("<img src=x onerror=alert(1)>")
    await inspect(page, "key-create")
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click()
    const field = page.getByRole("dialog").getByRole("textbox")
    await page.getByRole("button", { name: "Copy" }).waitFor()
    const key = await field.inputValue()
    assert.match(key, /^tc_[0-9a-f]{64}$/)
    await inspect(page, "key-created")
    assert.strictEqual(await copied(page, "Copy"), key)
    await page.getByRole("button", { name: "I have saved it" }).click()
    assert.strictEqual(await statusOf(desk.server.url, key), 200)
    await page.reload()
    await page
      .getByText(`tc_${key.slice(3, 11)}`)
      .first()
      .waitFor()
    assert.notInclude(await page.content(), key)
    await inspect(page, "keys")
    const row = page.getByRole("row").filter({ hasText: key.slice(3, 11) })
    await row.getByRole("button").click()
    await page.getByRole("menuitem", { name: /revoke/i }).click()
    await inspect(page, "key-revoke")
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /revoke/i })
      .click()
    await row.getByText("Revoked", { exact: true }).waitFor()
    assert.strictEqual(await statusOf(desk.server.url, key), 401)
  })

  it("are rotated, and the old one works until it is over", async () => {
    const { page } = desk.ada
    const rotate = async (key: string, overlap: RegExp): Promise<string> => {
      await page
        .getByRole("row")
        .filter({ hasText: key.slice(0, 11) })
        .getByRole("button")
        .click()
      await page.getByRole("menuitem", { name: /rotate/i }).click()
      await page.getByLabel(overlap).check()
      await inspect(page, "key-rotate")
      await page.getByRole("dialog").getByRole("button", { name: "Rotate key" }).click()
      await page.getByRole("button", { name: "Copy" }).waitFor()
      const next = await page.getByRole("dialog").getByRole("textbox").inputValue()
      await page.getByRole("button", { name: "I have saved it" }).click()
      return next
    }
    const init = `{ method: "POST", headers: { "content-type": "application/json" }, body: '{"name":"Nightly","scopes":["read"]}' }`
    const first = String(
      await page.evaluate(
        `fetch("/dashboard/api/v1/api_keys", ${init}).then((answer) => answer.json()).then(({ key }) => key)`,
      ),
    )
    await page.reload()
    const second = await rotate(first, /24 hours/)
    assert.deepStrictEqual(await Promise.all([first, second].map((key) => statusOf(desk.server.url, key))), [200, 200])
    const third = await rotate(second, /Stop it now/)
    assert.deepStrictEqual(await Promise.all([second, third].map((key) => statusOf(desk.server.url, key))), [401, 200])
  })

  it("are shown in pages, and one too many says what to do", async () => {
    const { page } = desk.ada
    const fill = `(async () => {
      const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"name":"Shop","scopes":["read"]}' }
      const path = "/dashboard/api/v1/api_keys"
      const { id } = await (await fetch(path, init)).json()
      await fetch(path + "/" + id + "/revoke", { method: "POST" })
      while ((await fetch(path, init)).status === 201);
    })()`
    await page.evaluate(fill)
    await page.goto("/dashboard/api-keys")
    await page.getByText(/1–25 of 10\d/).waitFor()
    await page.getByRole("button", { name: "Page 5" }).click()
    await page.getByText(/101–10\d of 10\d/).waitFor()
    assert.include(page.url(), "page=5")
    await page.getByRole("button", { name: "Create key" }).click()
    await page.getByLabel("Name").fill("One too many")
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click()
    await page
      .getByRole("alert")
      .getByText(/100 API keys of the account are active: revoke one/)
      .waitFor()
    await inspect(page, "key-too-many")
    await page.keyboard.press("Escape")
  })

  it("are shown on their last page to who asks for one behind it", async () => {
    const { page } = desk.ada
    await page.goto("/dashboard/members")
    await page.goto("/dashboard/api-keys?page=999")
    await page.waitForURL(/page=\d\b/)
    await page.getByRole("row").nth(1).waitFor()
    assert.strictEqual(await page.getByText("No API keys").count(), 0)
    await page.goBack()
    await page.getByRole("heading", { name: "Members" }).waitFor()
  })

  it("give the browser nothing to complain of", () => {
    assert.deepStrictEqual(desk.ada.faults, [])
  })
})
