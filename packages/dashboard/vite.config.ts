/** How the page is built: hashed files below /dashboard/assets/, and nothing inline, for the page's policy forbids it. */
import { readFileSync } from "node:fs"
import react from "@vitejs/plugin-react"
import { defineConfig, type Plugin } from "vite"

const EARLY = new URL("src/scheme.js", import.meta.url)

/**
 * The colour scheme that was chosen has to be known before the first paint. A module would run after it and an inline
 * script is forbidden, so a file of its own goes into the head, with a hash in its name as all others.
 */
const early = (): Plugin => {
  let file = ""
  return {
    name: "early-scheme",
    apply: "build",
    buildStart() {
      file = this.emitFile({ type: "asset", name: "scheme.js", source: readFileSync(EARLY, "utf8") })
    },
    transformIndexHtml: {
      order: "post",
      handler: (_, { bundle }) => {
        const asset = Object.values(bundle ?? {}).find(({ name }) => name === "scheme.js")
        return [{ tag: "script", attrs: { src: `/dashboard/${asset?.fileName ?? file}` }, injectTo: "head-prepend" }]
      },
    },
  }
}

export default defineConfig({
  base: "/dashboard/",
  plugins: [react(), early()],
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  server: { proxy: { "/dashboard/api": "http://127.0.0.1:3000" } },
})
