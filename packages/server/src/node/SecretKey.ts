/** The key that encrypts signing secrets: the operator's, or one that embedded storage keeps beside its data. */
import { Data, Effect, Layer, Redacted } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import { link, mkdir, open, readFile, rm } from "node:fs/promises"
import path from "node:path"
import type { Config } from "../Config.ts"
import * as SecretBox from "../SecretBox.ts"

const FILE = "secret.key"

/** The file of the key is not there to be read, or holds no key; the message names it. */
export class SecretKeyError extends Data.TaggedError("SecretKeyError")<{ readonly message: string }> {}

const codeIs = (code: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== code) throw error
}

/** Writes down what the handle is of, so that a crash of the machine does not take it. */
const sync = async (name: string, flags: string, text?: string) => {
  const handle = await open(name, flags, 0o600)
  try {
    if (text !== undefined) await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Puts a new key into a file, complete or not at all; one that is there already stays. */
const write = async (directory: string, file: string) => {
  const draft = `${file}.${randomUUID()}`
  try {
    await sync(draft, "wx", `${randomBytes(SecretBox.KEY_BYTES).toString("base64")}\n`)
    await link(draft, file).catch(codeIs("EEXIST"))
  } finally {
    await rm(draft, { force: true })
  }
  // Before anything is encrypted with it: without its name the key would be lost.
  await sync(directory, "r")
}

/** Reads the key below the data directory; the first of several processes that find none makes it. */
const kept = Effect.fnUntraced(function* (data_dir: string) {
  const file = path.resolve(data_dir, FILE)
  const text = yield* Effect.tryPromise({
    try: async () => {
      await mkdir(data_dir, { recursive: true })
      const found = await readFile(file, "utf8").catch(codeIs("ENOENT"))
      if (found !== undefined) return found
      await write(path.dirname(file), file)
      return readFile(file, "utf8")
    },
    catch: (cause) =>
      new SecretKeyError({
        message: `The secret key in ${file} cannot be had: ${cause instanceof Error ? cause.message : String(cause)}`,
      }),
  })
  const key = new Uint8Array(Buffer.from(text.trim(), "base64"))
  if (key.length === SecretBox.KEY_BYTES) return key
  return yield* new SecretKeyError({
    message: `${file} has to hold ${SecretBox.KEY_BYTES} bytes in base64, and holds ${key.length}. Signing secrets that were stored need their own key again: restore the file. If there are none, remove it.`,
  })
})

/** Secrets under the key of the configuration. In memory nothing outlives the process, and neither need the key. */
export const layer = ({
  secret_key,
  storage,
}: Pick<Config, "secret_key" | "storage">): Layer.Layer<SecretBox.SecretBox, SecretKeyError> => {
  if (secret_key !== null) return SecretBox.layer(Redacted.value(secret_key))
  if (storage.kind === "embedded") return Layer.unwrap(Effect.map(kept(storage.data_dir), SecretBox.layer))
  return Layer.unwrap(Effect.sync(() => SecretBox.layer(new Uint8Array(randomBytes(SecretBox.KEY_BYTES)))))
}
