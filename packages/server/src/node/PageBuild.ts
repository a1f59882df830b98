/** Reads the dashboard's page as it was built. */
import { readdir, readFile } from "node:fs/promises"
import { extname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Effect, Predicate } from "effect"
import type { Build, File } from "../dashboard/Pages.ts"

/** Where a build may be: in the workspace, or beside the code of a package that was published. */
const places = ["../../../dashboard/dist/", "../../page/"].map((path) => fileURLToPath(new URL(path, import.meta.url)))

const DOCUMENT = "index.html"

const types: { readonly [extension: string]: string } = {
  ".css": "text/css; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
}

const zip = promisify(gzip)

const read = async (path: string): Promise<File> => {
  const bytes = new Uint8Array(await readFile(path))
  const zipped = new Uint8Array(await zip(bytes, { level: 9 }))
  const type = types[extname(path)] ?? "application/octet-stream"
  return { type, bytes, gzip: zipped.length < bytes.length ? zipped : null }
}

const readAll = async (place: string): Promise<Build> => {
  const document = await readFile(join(place, DOCUMENT), "utf8")
  const entries = await readdir(place, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = await Promise.all(
    paths
      .filter((path) => path !== join(place, DOCUMENT))
      .map(async (path) => [`/${relative(place, path).split(sep).join("/")}`, await read(path)] as const),
  )
  return { document, files: new Map(files) }
}

/** The build, or null where there is none. */
export const load: Effect.Effect<Build | null> = Effect.promise(async () => {
  for (const place of places) {
    try {
      return await readAll(place)
    } catch (error) {
      if (!Predicate.hasProperty(error, "code") || error.code !== "ENOENT") throw error
    }
  }
  return null
})
