/** What a call makes of a server that says nothing, or something else than it should. */
import { afterEach, describe, expect, it, vi } from "vitest"
import { get, post } from "../src/Api.ts"

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Whoever is asked never answers, until they are told that nobody waits. */
const silent = (_: string, { signal }: RequestInit) =>
  new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)))

const unreachable = { status: 0, code: "unreachable", message: expect.stringContaining("cannot be reached") }

describe("a call", () => {
  it("that reads is given up where no answer comes", async () => {
    const patience = new AbortController()
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal)
    vi.stubGlobal("fetch", silent)
    const asked = get("/api_keys", {}, new AbortController().signal)
    expect(timeout).toHaveBeenCalledExactlyOnceWith(30_000)
    patience.abort(new DOMException("too long", "TimeoutError"))
    await expect(asked).rejects.toMatchObject(unreachable)
  })

  it("that nobody waits for any more is no failure", async () => {
    const leaving = new AbortController()
    vi.stubGlobal("fetch", silent)
    const asked = get("/api_keys", {}, leaving.signal)
    leaving.abort()
    await expect(asked).rejects.toMatchObject({ name: "AbortError" })
  })

  it.each([
    ["breaks off", () => new Response(new ReadableStream({ start: (body) => body.error(new TypeError("reset")) }))],
    ["is not what it should be", () => new Response("<html>", { status: 200 })],
  ])("whose answer %s failed, and may be tried again", async (_, answer) => {
    vi.stubGlobal("fetch", async () => answer())
    await expect(post("/api_keys", {})).rejects.toMatchObject({
      code: expect.stringMatching(/^(unreachable|unknown)$/),
    })
  })
})
