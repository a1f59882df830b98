/** `verify` three times over: as it runs on Node, without `node:crypto`, and bundled where there are web globals only. */
import { createContext, runInContext } from "node:vm"
import { rolldown } from "rolldown"
import { verify } from "../src/verify.ts"

const entry = new URL("../src/verify.ts", import.meta.url).pathname

/** The module as a bundler ships it. */
export const bundle = async (format: "esm" | "iife") => {
  const build = await rolldown({ input: entry })
  const { output } = await build.generate({ format, minify: true, name: "webhooks" })
  return output
}

/** The bundle where there are no globals but JavaScript's own and these. */
export const bundleAmong = async (globals: object): Promise<typeof verify> => {
  const [chunk] = await bundle("iife")
  return runInContext(`${chunk.code}; webhooks.verify`, createContext(globals))
}

/** A second copy of the module, imported while `node:crypto` cannot be had. */
const web = async (): Promise<typeof verify> => {
  const own = Object.getOwnPropertyDescriptor(process, "getBuiltinModule") ?? {}
  Object.defineProperty(process, "getBuiltinModule", { ...own, value: undefined })
  try {
    const path = "../src/verify.ts?web"
    const module = await import(/* @vite-ignore */ path)
    return module.verify
  } finally {
    Object.defineProperty(process, "getBuiltinModule", own)
  }
}

export const verifiers: ReadonlyArray<readonly [name: string, verify: typeof verify]> = [
  ["node:crypto", verify],
  ["WebCrypto", await web()],
  ["a bundle among web globals", await bundleAmong({ TextEncoder, TextDecoder, atob, btoa, crypto })],
]
