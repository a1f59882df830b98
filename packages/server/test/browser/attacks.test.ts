/** What others try who have a site of their own, or somebody's cookie. */
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { launch, open, type Window } from "./Browser.ts"
import * as Site from "./Site.ts"

const chromium = inject("chromium")
const API = "/dashboard/api/v1"
const key = JSON.stringify({ name: "Prize", scopes: ["read"] })

/** A window has no session any more, whatever it asks for. Closes it. */
const isOut = async (window: Window): Promise<void> => {
  assert.strictEqual(await Site.asked(window, "api_keys"), 401)
  await window.page.reload()
  await window.page.getByRole("heading", { name: "Sign in" }).waitFor()
  await window.context.close()
}

// Skipped where there is no Chromium and none can be installed; the set-up has said so.
describe.skipIf(chromium === null)("somebody else", () => {
  let site: Site.Site
  let foreign: Awaited<ReturnType<typeof Site.foreign>>
  let browser: Browser
  let ada: Window

  const credentials = { email: "ada@example.com", password: Site.PASSWORD }
  const signIn = (window: Window) => Site.asked(window, "session", { method: "POST", body: credentials })

  /** Runs a script in a page of somebody else's, in the window where Ada is signed in, and answers with what it finds. */
  const evil = async (origin: string, script: string): Promise<unknown> => {
    const page = await ada.context.newPage()
    await page.goto(origin)
    const found = await page.evaluate(`(async () => { const target = "${site.origin}"; ${script} })()`)
    await page.close()
    return found
  }

  /** What has been done in the account. */
  const log = async (): Promise<ReadonlyArray<string>> => {
    const { body } = await site.ada.ask("audit?per_page=100")
    return body.data.map(({ action }: { readonly action: string }) => action)
  }

  beforeAll(async () => {
    site = await Site.start()
    foreign = await Site.foreign()
    browser = await launch(chromium ?? "")
    ada = await open(browser, site.origin)
    await ada.page.goto("/dashboard/sign-in")
    assert.strictEqual(await signIn(ada), 201)
    await ada.page.goto("/dashboard/api-keys")
    await ada.page.getByRole("button", { name: "Create key" }).first().waitFor()
  })

  afterAll(async () => {
    await browser.close()
    foreign.close()
    await site.stop()
  })

  it("changes nothing with the requests that their pages send, of whatever kind", async () => {
    const before = await log()
    for (const origin of foreign.origins) {
      const send = (init: string) =>
        `fetch(target + "${API}/api_keys", { credentials: "include", method: "POST", ${init} }).catch(() => null)`
      await evil(
        origin,
        `await Promise.all([
          ${send(`mode: "no-cors", body: ${JSON.stringify(key)}`)},
          ${send(`mode: "no-cors", body: new Blob([${JSON.stringify(key)}])`)},
          ${send(`headers: { "content-type": "application/json" }, body: ${JSON.stringify(key)}`)},
          fetch(target + "${API}/session", { credentials: "include", method: "DELETE" }).catch(() => null),
          navigator.sendBeacon(target + "${API}/api_keys", ${JSON.stringify(key)}),
        ])`,
      )
    }
    assert.deepStrictEqual(await log(), before)
    assert.strictEqual(await Site.asked(ada, "session"), 200)
  })

  it("changes nothing with a form, and signs nobody in to another account", async () => {
    const before = await log()
    const mine = await ada.context.cookies()
    for (const origin of foreign.origins) {
      for (const [path, text] of [
        ["api_keys", key],
        ["session", JSON.stringify(credentials)],
      ] as const) {
        const page = await ada.context.newPage()
        await page.goto(origin)
        // The one shape in which a form can send JSON: its name and value around the equals sign.
        const answered = page.waitForResponse((response) => response.url().endsWith(path))
        await page.evaluate(`
          const form = Object.assign(document.createElement("form"), { method: "post", enctype: "text/plain" })
          form.action = "${site.origin}${API}/${path}"
          const name = ${JSON.stringify(`${text.slice(0, -1)},"x":"`)}
          form.append(Object.assign(document.createElement("input"), { name, value: '"}' }))
          document.body.append(form)
          // Not before this script has ended, which the answer of the server would cut off.
          setTimeout(() => form.submit())`)
        assert.strictEqual((await answered).status(), 403)
        await page.waitForURL(`**/${path}`)
        await page.close()
      }
    }
    assert.deepStrictEqual(await log(), before)
    assert.deepStrictEqual(await ada.context.cookies(), mine)
  })

  it("reads nothing by a request, an image, a script or a window of theirs", async () => {
    for (const origin of foreign.origins) {
      const found = await evil(
        origin,
        `const read = (mode) => fetch(target + "${API}/session", { credentials: "include", mode })
          .then((response) => response.text(), () => "")
        const load = (tag) => new Promise((resolve) => {
          const element = document.createElement(tag)
          element.onload = () => resolve("loaded")
          element.onerror = () => resolve("")
          element.src = target + "${API}/session"
          document.body.append(element)
        })
        const opened = window.open(target + "/dashboard/members")
        const look = () => { try { return opened.document.title + opened.location.href } catch { return "" } }
        const all = [await read("cors"), await read("no-cors"), await load("img"), await load("script")]
        for (let tries = 0; tries < 1_000 && look() !== ""; tries++) await new Promise((next) => setTimeout(next, 20))
        return [...all, look()]`,
      )
      assert.deepStrictEqual(found, ["", "", "", "", ""])
    }
  })

  it("shows the dashboard in no frame of theirs, nor in one of its own origin", async () => {
    for (const origin of [...foreign.origins, `${site.origin}/openapi.json`]) {
      const page = await ada.context.newPage()
      await page.goto(origin)
      const refused = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"))
      await page.evaluate(`document.body.append(
        Object.assign(document.createElement("iframe"), { src: "${site.origin}/dashboard/members" }))`)
      await refused
      const [, frame] = page.frames()
      assert.notInclude((await frame?.content()) ?? "", "root")
      await page.close()
    }
  })

  it("finds no cookie where scripts look for it", async () => {
    assert.strictEqual(await ada.page.evaluate("document.cookie"), "")
    const cookies = await ada.context.cookies()
    assert.deepStrictEqual(cookies.map(({ name }) => name).toSorted(), ["tc_device", "tc_session"])
    for (const cookie of cookies) assert.deepInclude(cookie, { httpOnly: true, sameSite: "Lax" })
  })

  /** A window of somebody who has copied the cookie out of another. */
  const thief = async ({ context }: Window): Promise<Window> => {
    const window = await open(browser, site.origin)
    await window.context.addCookies(await context.cookies())
    await window.page.goto("/dashboard/api-keys")
    await window.page.getByRole("heading", { name: "API keys" }).waitFor()
    return window
  }

  it("has no use of a cookie once its owner has signed out", async () => {
    const stolen = await thief(ada)
    await ada.page.getByRole("button", { name: /ada/i }).click()
    await ada.page.getByRole("menuitem", { name: "Sign out" }).click()
    await ada.page.getByRole("heading", { name: "Sign in" }).waitFor()
    await isOut(stolen)
    // What is left lets nobody in: it is for signing in again.
    const left = await ada.context.cookies()
    assert.deepStrictEqual(
      left.map(({ name }) => name),
      ["tc_device"],
    )
  })

  it("has no use of a cookie once its owner has changed the password in another window", async () => {
    const grace = await site.invited("developer", "grace@example.com")
    const window = await open(browser, site.origin)
    await window.page.goto("/dashboard/sign-in")
    await Site.asked(window, "session", { method: "POST", body: { ...credentials, email: "grace@example.com" } })
    const stolen = await thief(window)
    const change = { current: Site.PASSWORD, password: "a much better password" }
    assert.strictEqual((await grace.post("session/password", change)).status, 204)
    await isOut(stolen)
    await window.context.close()
  })

  it("has no use of a cookie once its owner is a member no more", async () => {
    const joan = await site.invited("developer", "joan@example.com")
    const stolen = await thief(await Site.sitting(browser, site, joan))
    const { body } = await joan.ask("session")
    assert.strictEqual((await site.ada.ask(`members/${body.member.id}`, { method: "DELETE" })).status, 204)
    await isOut(stolen)
  })

  it("who was a developer can do no more than a viewer from the moment that they are one, in the page that is open", async () => {
    const mary = await site.invited("developer", "mary@example.com")
    const window = await Site.sitting(browser, site, mary)
    await window.page.goto("/dashboard/api-keys")
    await window.page.getByRole("button", { name: "Create key" }).first().waitFor()
    const { body } = await mary.ask("session")
    await site.ada.ask(`members/${body.member.id}`, { method: "PATCH", body: { role: "viewer" } })
    assert.strictEqual(await Site.asked(window, "api_keys", { method: "POST", body: JSON.parse(key) }), 403)
    await window.page.reload()
    await window.page.getByRole("heading", { name: "API keys" }).waitFor()
    assert.strictEqual(await window.page.getByRole("button", { name: "Create key" }).count(), 0)
    await window.context.close()
  })
})
