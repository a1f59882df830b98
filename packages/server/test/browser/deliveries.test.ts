/** Deliveries as somebody looks for them, by endpoint and by time, and takes one to their own machine: its headers, its code, its command. */
import { execFile, spawnSync } from "node:child_process"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { verify } from "@tc/webhooks/verify"
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import type { Json } from "../blackbox/Api.ts"
import * as Receiver from "../blackbox/Receiver.ts"
import * as Server from "../blackbox/Server.ts"
import { until } from "../blackbox/Until.ts"
import { admin, copied, inspect, launch, open, signIn, type Window } from "./Browser.ts"

const chromium = inject("chromium")

const BRAND = "Acme"

/** What a shell, a program or a page could take for something else than text. */
const HOSTILE = "it's `id` $(id) ${HOME} \\ \"quoted\" <b>!!</b> @file \n\r\n'; exit 1 # \u2028 🖨️ é"

const has_curl = spawnSync("curl", ["--version"]).status === 0

/** What a command prints, run where the packages of the server are. */
const run = (command: string, args: ReadonlyArray<string>, { input = "", secret = "" }) =>
  new Promise<string>((resolve) => {
    const options = {
      cwd: fileURLToPath(new URL("../../", import.meta.url)),
      env: { ...process.env, WEBHOOK_SECRET: secret },
    }
    const child = execFile(command, args, options, (error, stdout) => resolve(error?.message ?? stdout))
    child.stdin?.end(input)
  })

// Skipped where there is no Chromium and none can be installed; the set-up has said so.
describe.skipIf(chromium === null)("deliveries, in a browser", () => {
  let server: Server.Server
  let receiver: Receiver.Receiver
  let hook: Receiver.Hook
  let browser: Browser
  let ada: Window
  let secret: string

  const choice = () => ada.page.getByRole("combobox", { name: "Endpoint" })

  const send = async (method: string, path: string, body?: object): Promise<Json> => {
    const response = await fetch(`${server.url}/api/v1/${path}`, {
      method,
      headers: { "content-type": "application/json", "x-api-key": server.key },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return response.status === 204 ? null : response.json()
  }

  beforeAll(async () => {
    server = await Server.start({ TC_STORE: "memory", TC_BRAND: BRAND, ...admin })
    receiver = await Receiver.listen()
    hook = receiver.hook(Receiver.status(200))
    // More than a page of the API has, so that the one that matters is on none of the first.
    ;({ secret } = await send("POST", "webhook_endpoints", { url: hook.url, events: ["asset.created"] }))
    const others = Array.from({ length: 100 }, (_, n) => `https://shop-${n}.example/hook`)
    await Promise.all(others.map((url) => send("POST", "webhook_endpoints", { url, events: ["store.created"] })))
    await send("POST", "assets", { name: "Star", asset_type: "clipart", metadata: { note: HOSTILE } })
    browser = await launch(chromium ?? "")
    ada = await open(browser, server.url)
    const { page } = ada
    // Whoever is not signed in comes back to where they wanted to go.
    await signIn(page, "/dashboard/deliveries")
    await page.getByRole("heading", { name: "Deliveries" }).waitFor()
  })

  afterAll(async () => {
    await browser.close()
    receiver.close()
    await server.stop()
  })

  it("are found by an endpoint that is searched for with the keyboard, among more than a list has", async () => {
    const { page } = ada
    await page.getByRole("row").filter({ hasText: hook.url }).waitFor()
    await choice().focus()
    await page.keyboard.type("shop-77")
    await page.getByRole("option", { name: "https://shop-77.example/hook" }).waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.getByText("No deliveries").waitFor()
    assert.match(page.url(), /endpoint_id=/)
    await until("it is told", async () => (await choice().inputValue()) === "https://shop-77.example/hook")
    await choice().fill("127.0.0.1")
    await page.getByRole("option", { name: hook.url }).waitFor()
    await inspect(page, "deliveries-endpoint-choice")
    await page.getByRole("option", { name: hook.url }).click()
    await page.getByRole("row").filter({ hasText: hook.url }).waitFor()
  })

  it("tell which endpoint was chosen after a reload, and when it is deleted", async () => {
    const { page } = ada
    await page.reload()
    await until("it is told", async () => (await choice().inputValue()) === hook.url)
    const url = new URL(page.url())
    url.searchParams.set("endpoint_id", crypto.randomUUID())
    await page.goto(url.href)
    await until("it is told", async () => (await choice().inputValue()).startsWith("Deleted endpoint"))
    await page.getByRole("button", { name: "Show all" }).click()
    await page.getByRole("row").filter({ hasText: hook.url }).waitFor()
    assert.strictEqual(await choice().inputValue(), "")
  })

  it("are found by their time, in the reader's own", async () => {
    const { page } = ada
    const rows = page.getByRole("row").filter({ hasText: "asset.created" })
    await page.getByLabel("Time").selectOption("hour")
    await rows.waitFor()
    await page.getByLabel("Time").selectOption("custom")
    await page.getByLabel("From").fill("2026-01-01T10:00")
    await rows.waitFor()
    await page.getByLabel("To").fill("2026-01-02T10:00")
    await page.getByText("No deliveries").waitFor()
    await inspect(page, "deliveries-time")
    await page.getByLabel("To").fill("2099-01-02T10:00")
    await rows.waitFor()
    assert.match(decodeURIComponent(page.url()), /within=custom&since="?2026-01-01T/)
    await page.goBack()
    await until("it is as it was", async () => (await page.getByLabel("To").inputValue()) === "2026-01-02T10:00")
    await page.getByText("No deliveries").waitFor()
    await page.goForward()
    await until("it is as it was", async () => (await page.getByLabel("To").inputValue()) === "2099-01-02T10:00")
    await page.reload()
    assert.strictEqual(await page.getByLabel("From").inputValue(), "2026-01-01T10:00")
    await page.getByRole("button", { name: "Show all" }).click()
    await page.getByLabel("From").waitFor({ state: "detached" })
  })

  it("show the headers of each attempt as they were sent", async () => {
    const { page } = ada
    await page.getByRole("link", { name: "asset.created" }).first().click()
    await page.getByRole("button", { name: "Headers" }).click()
    const shown = await page.getByRole("region", { name: "The headers of attempt 1" }).innerText()
    const lines = Object.entries(hook.seen[0]?.headers ?? {}).map(([name, value]) => `${name}: ${String(value)}`)
    const lower = shown.split("\n").map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()))
    assert.deepStrictEqual(lower.toSorted(), lines.toSorted())
    await inspect(page, "delivery-headers")
  })

  it("come with a program that verifies them, and refuses another body", async () => {
    const code = await copied(ada.page, "Copy code")
    const program = [process.execPath, ["--input-type=module"]] as const
    assert.strictEqual(await run(...program, { input: code, secret }), "It verifies: asset.created\n")
    assert.strictEqual(
      await run(...program, { input: code.replace("clipart", "CLIPART"), secret }),
      "It does not verify: signature_mismatch\n",
    )
  })

  it.skipIf(!has_curl)("come with a command that sends the same again, whatever is in it", async () => {
    const command = await copied(ada.page, "Copy as curl")
    assert.strictEqual(await run("sh", [], { input: command }), "noted")
    const [first, second] = hook.seen
    assert.strictEqual(second?.text, first?.text)
    assert.deepStrictEqual({ ...second?.headers, connection: "" }, { ...first?.headers, connection: "" })
    const verified = await verify({ headers: second?.headers ?? {}, body: second?.text }, secret, { brand: BRAND })
    assert.isTrue(verified.ok)
    assert.strictEqual(second?.body.data.metadata.note, HOSTILE)
  })

  it("show the beginning of what is large, and copy all of it", async () => {
    const { page } = ada
    const note = "x".repeat(30_000)
    const { id } = await send("POST", "assets", { name: "Large", asset_type: "clipart", metadata: { note } })
    await page.goto("/dashboard/deliveries")
    await until("it has come in", () => hook.seen.some(({ body }) => body.data.id === id))
    await page.getByRole("row").filter({ hasText: "asset.created" }).nth(1).waitFor()
    await page.getByRole("link", { name: "asset.created" }).first().click()
    await page.getByRole("region", { name: "Code that verifies it" }).waitFor()
    assert.strictEqual(await page.getByText("These are the first 20,000 of").count(), 2)
    assert.lengthOf(await page.getByRole("region", { name: "Body" }).innerText(), 20_000)
    assert.include(await copied(ada.page, "Copy code"), note)
  })

  it.skipIf(!has_curl)(
    "come with such a command in whatever shell, when they are larger than an argument can be",
    async () => {
      const { page } = ada
      const note = `'%s "\\n" \\ ${HOSTILE}`.repeat(1 + Math.floor(200_000 / (HOSTILE.length + 14)))
      const { id } = await send("POST", "assets", { name: "Quoted", asset_type: "clipart", metadata: { note } })
      const [first] = await until("it has come in", () => {
        const found = hook.about(id)
        return found.length > 0 ? found : null
      })
      assert.isAbove(first?.text.length ?? 0, 200_000)
      await page.goto("/dashboard/deliveries")
      await page.getByRole("link", { name: "asset.created" }).first().click()
      const command = await copied(page, "Copy as curl")
      for (const [nth, shell] of ["sh", "bash"].entries()) {
        assert.strictEqual(await run(shell, [], { input: command }), "noted")
        const again = hook.about(id)[nth + 1]
        assert.isTrue(again?.text === first?.text, shell)
        assert.deepStrictEqual({ ...again?.headers, connection: "" }, { ...first?.headers, connection: "" })
        const verified = await verify({ headers: again?.headers ?? {}, body: again?.text }, secret, { brand: BRAND })
        assert.isTrue(verified.ok)
      }
    },
  )

  it("come by themselves, but none under a pointer that moves", async () => {
    const { page } = ada
    await page.goto("/dashboard/deliveries")
    const first = page.getByRole("row").nth(1).getByRole("link").first()
    const before = await first.getAttribute("href")
    const { x = 0, y = 0 } = (await first.boundingBox()) ?? {}
    const rest = new AbortController()
    const hand = (async () => {
      for (let step = 0; !rest.signal.aborted; step++) {
        await page.mouse.move(x + (step % 5), y + 5)
        await setTimeout(20)
      }
    })()
    await send("POST", "assets", { name: "Moon", asset_type: "clipart" })
    await page.waitForResponse(
      async (answer) =>
        answer.url().includes("/api/v1/deliveries?") && !before?.endsWith((await answer.json()).data[0].id),
    )
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))")
    assert.strictEqual(await first.getAttribute("href"), before)
    rest.abort()
    await hand
    await until("it is shown", async () => (await first.getAttribute("href")) !== before)
  })

  it("give the browser nothing to complain of", () => {
    assert.deepStrictEqual(ada.faults, [])
  })
})
