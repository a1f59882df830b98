/** A service of this process with its page, people who are signed in to it, and sites of others beside it. */
import { Effect, Exit, type Layer, Scope } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Browser } from "playwright-core"
import type { Sender } from "../../src/index.ts"
import * as World from "../dashboard/World.ts"
import { open, type Window } from "./Browser.ts"

export type { Person } from "../dashboard/World.ts"
export { PASSWORD } from "../dashboard/World.ts"

/** A service with an owner, Ada, and how to have others come in. */
export const start = async (sender?: Layer.Layer<Sender>) => {
  const scope = await Effect.runPromise(Scope.make())
  const world = await Effect.runPromise(Scope.provide(World.start({}, sender), scope))
  const ada = await Effect.runPromise(World.owner(world))
  return {
    ...world,
    ada,
    invited: (role: string, email: string) => Effect.runPromise(World.invited(world, ada, role, email)),
    stranger: () => Effect.runPromise(World.stranger(world)),
    key: () => Effect.runPromise(World.key(world, ["read", "write", "delete"])),
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void)),
  }
}

export type Site = Awaited<ReturnType<typeof start>>

/** A window in which somebody is signed in, as their cookies say. */
export const sitting = async (browser: Browser, { origin }: Site, { cookies }: World.Person): Promise<Window> => {
  const window = await open(browser, origin)
  await window.context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: origin, httpOnly: true })))
  return window
}

/** What the API answers to a page that is open in a window: the status alone. */
export const asked = async (
  { page }: Window,
  path: string,
  { method = "GET", body }: { readonly method?: string; readonly body?: unknown } = {},
): Promise<number> => {
  const headers = { "content-type": "application/json" }
  const init = JSON.stringify({ method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  return Number(await page.evaluate(`fetch("/dashboard/api/v1/${path}", ${init}).then(({ status }) => status)`))
}

/** Somebody else's site: an empty page under two origins, one on another port of the host, and one on another host. */
export const foreign = async () => {
  const server = createServer((_, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Prizes</title>"),
  )
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    origins: [`http://127.0.0.1:${port}`, `http://localhost:${port}`],
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
