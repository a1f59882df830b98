import { spawnSync } from "node:child_process"
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"

const root = fileURLToPath(new URL("..", import.meta.url))

/** What the readers have where the blocks leave it out. */
const given = `
import type { Design, Id } from "@tc/domain"
import type { UnknownEvent, WebhookEvent } from "@tc/webhooks"
import type { IncomingMessage, ServerResponse } from "node:http"
declare global {
  const arrayBuffer: typeof import("node:stream/consumers").arrayBuffer
  const createServer: typeof import("node:http").createServer
  const express: typeof import("express")
  const Fastify: typeof import("fastify").default
  const Hono: typeof import("hono").Hono
  const verify: typeof import("@tc/webhooks").verify
  const design: Design.Design
  const event: WebhookEvent | UnknownEvent
  const now: string
  const secret: string
  const secretKey: Uint8Array
  type APIGatewayProxyEventV2 = { headers: NodeJS.Dict<string>; body?: string; isBase64Encoded: boolean }
  type NextApiRequest = IncomingMessage
  type NextApiResponse = ServerResponse & { status: (code: number) => NextApiResponse }
}
`

const mine = `export { layerMemory as layerMine } from "@tc/store"\n`

const config = (files: ReadonlyArray<string>) => ({
  extends: join(root, "tsconfig.test.json"),
  compilerOptions: {
    moduleDetection: "force",
    noUnusedLocals: false,
    rootDir: root,
    typeRoots: [join(root, "node_modules/@types")],
    paths: {
      "@tc/server/node": [join(root, "packages/server/src/node/index.ts")],
      "@tc/store/testing": [join(root, "packages/store/src/testing/index.ts")],
      "@tc/webhooks/verify": [join(root, "packages/webhooks/src/verify.ts")],
      "@tc/*": [join(root, "packages/*/src/index.ts")],
    },
  },
  files,
})

/** The blocks of a README, each as a module in which every line has the number that it has there. */
const blocks = (readme: string) => {
  const text = readFileSync(join(root, readme), "utf8")
  return Array.from(text.matchAll(/^```ts\n(.*?)^```$/gms), ({ 1: block = "", index }) => {
    const line = text.slice(0, index).split("\n").length
    return { name: `${readme.replaceAll("/", "-")}-${line}.ts`, text: "\n".repeat(line) + block }
  })
}

it("the TypeScript in the READMEs compiles", { timeout: 240_000 }, () => {
  const directory = mkdtempSync(join(root, "packages/webhooks/node_modules/.readme-"))
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text)
  try {
    const modules = globSync("{,packages/*/}README.md", { cwd: root }).flatMap(blocks)
    for (const { name, text } of modules) write(name, text)
    write("given.ts", given)
    write("mine.ts", mine)
    write("package.json", '{ "type": "module" }')
    write("tsconfig.json", JSON.stringify(config(["given.ts", ...modules.map(({ name }) => name)])))
    const options = ["--project", directory, ..."--checkers 2 --pretty false".split(" ")]
    const { stdout } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...options], {
      cwd: directory,
      encoding: "utf8",
    })
    // What is wrong in the packages themselves is for `tsc -b` to say.
    const errors = stdout.split("\n").filter((line) => /^(?![ .]).*error TS/.test(line))
    assert.deepStrictEqual(errors, [])
  } finally {
    rmSync(directory, { recursive: true })
  }
})
