/** Parts of the page that are loaded when they are first shown. */
import { lazyRouteComponent } from "@tanstack/react-router"
import { Failure, get } from "../Api.ts"
import { passes } from "../Client.ts"

/**
 * A component that comes with the file that it is in. The router takes what cannot be loaded for part of another release, and
 * loads the page anew, which would be lost while the server cannot be had.
 */
export const lazily = <A extends Record<string, unknown>, Name extends keyof A>(load: () => Promise<A>, name: Name) =>
  lazyRouteComponent(async () => {
    try {
      return await load()
    } catch (error) {
      const asked = await get("/session").catch((failure: Failure) => failure)
      throw asked instanceof Failure && passes(asked) ? asked : error
    }
  }, name)
