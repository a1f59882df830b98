/** Deliveries as somebody looks for them, by endpoint and by time, and takes one to their own machine: its headers, its code, its command. */
import { execFile, spawnSync } from "node:child_process"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { verify } from "@tc/webhooks/verify"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import * as Receiver from "../blackbox/Receiver.ts"
import { until } from "../blackbox/Until.ts"
import { copied, inspect, signIn } from "./Browser.ts"
import * as Desk from "./Desk.ts"

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
  let desk: Desk.Desk
  let hook: Receiver.Hook
  let secret: string

  const choice = () => desk.ada.page.getByRole("combobox", { name: "Endpoint" })

  beforeAll(async () => {
    desk = await Desk.sit(chromium, { TC_BRAND: BRAND })
    hook = desk.receiver.hook(Receiver.status(200))
    // More than a page of the API has, so that the one that matters is on none of the first.
    ;({ secret } = await desk.api.create("webhook_endpoints", { url: hook.url, events: ["asset.created"] }))
    const others = Array.from({ length: 100 }, (_, n) => `https://shop-${n}.example/hook`)
    await Promise.all(others.map((url) => desk.api.create("webhook_endpoints", { url, events: ["store.created"] })))
    await desk.api.create("assets", { name: "Star", asset_type: "clipart", metadata: { note: HOSTILE } })
    const { page } = desk.ada
    // Whoever is not signed in comes back to where they wanted to go.
    await signIn(page, "/dashboard/deliveries")
    await page.getByRole("heading", { name: "Deliveries" }).waitFor()
  })

  afterAll(() => desk.leave())

  it("are found by an endpoint that is searched for with the keyboard, among more than a list has", async () => {
    const { page } = desk.ada
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
    const { page } = desk.ada
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
    const { page } = desk.ada
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
    const { page } = desk.ada
    await page.getByRole("link", { name: "asset.created" }).first().click()
    await page.getByRole("button", { name: "Headers" }).click()
    const shown = await page.getByRole("region", { name: "The headers of attempt 1" }).innerText()
    const lines = Object.entries(hook.seen[0]?.headers ?? {}).map(([name, value]) => `${name}: ${String(value)}`)
    const lower = shown.split("\n").map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()))
    assert.deepStrictEqual(lower.toSorted(), lines.toSorted())
    await inspect(page, "delivery-headers")
  })

  it("come with a program that verifies them, and refuses another body", async () => {
    const code = await copied(desk.ada.page, "Copy code")
    const program = [process.execPath, ["--input-type=module"]] as const
    assert.strictEqual(await run(...program, { input: code, secret }), "It verifies: asset.created\n")
    assert.strictEqual(
      await run(...program, { input: code.replace("clipart", "CLIPART"), secret }),
      "It does not verify: signature_mismatch\n",
    )
  })

  it.skipIf(!has_curl)("come with a command that sends the same again, whatever is in it", async () => {
    const command = await copied(desk.ada.page, "Copy as curl")
    assert.strictEqual(await run("sh", [], { input: command }), "noted")
    const [first, second] = hook.seen
    assert.strictEqual(second?.text, first?.text)
    assert.deepStrictEqual({ ...second?.headers, connection: "" }, { ...first?.headers, connection: "" })
    const verified = await verify({ headers: second?.headers ?? {}, body: second?.text }, secret, { brand: BRAND })
    assert.isTrue(verified.ok)
    assert.strictEqual(second?.body.data.metadata.note, HOSTILE)
  })

  it("show the beginning of what is large, and copy all of it", async () => {
    const { page } = desk.ada
    const note = "x".repeat(30_000)
    const { id } = await desk.api.create("assets", { name: "Large", asset_type: "clipart", metadata: { note } })
    await page.goto("/dashboard/deliveries")
    await until("it has come in", () => hook.seen.some(({ body }) => body.data.id === id))
    await page.getByRole("row").filter({ hasText: "asset.created" }).nth(1).waitFor()
    await page.getByRole("link", { name: "asset.created" }).first().click()
    await page.getByRole("region", { name: "Code that verifies it" }).waitFor()
    assert.strictEqual(await page.getByText("These are the first 20,000 of").count(), 2)
    assert.lengthOf(await page.getByRole("region", { name: "Body" }).innerText(), 20_000)
    assert.include(await copied(desk.ada.page, "Copy code"), note)
  })

  it.skipIf(!has_curl)(
    "come with such a command in whatever shell, when they are larger than an argument can be",
    async () => {
      const { page } = desk.ada
      const note = `'%s "\\n" \\ ${HOSTILE}`.repeat(1 + Math.floor(200_000 / (HOSTILE.length + 14)))
      const { id } = await desk.api.create("assets", { name: "Quoted", asset_type: "clipart", metadata: { note } })
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
    const { page } = desk.ada
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
    await desk.api.create("assets", { name: "Moon", asset_type: "clipart" })
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
    assert.deepStrictEqual(desk.ada.faults, [])
  })
})
