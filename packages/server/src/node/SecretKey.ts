/** The key that encrypts signing secrets: the operator's, or one that embedded storage keeps beside its data. */
import { Effect, Layer, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import type { Config } from "../Config.ts"
import * as SecretBox from "../SecretBox.ts"

const FILE = "secret.key"

/** Reads the key below the data directory; the first of several processes that find none makes it. */
const kept = (data_dir: string) =>
  Effect.promise(async () => {
    await mkdir(data_dir, { recursive: true })
    const file = path.join(data_dir, FILE)
    const made = randomBytes(SecretBox.KEY_BYTES).toString("base64")
    await writeFile(file, `${made}\n`, { mode: 0o600, flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error
    })
    return new Uint8Array(Buffer.from((await readFile(file, "utf8")).trim(), "base64"))
  })

/** Secrets under the key of the configuration. In memory nothing outlives the process, and neither need the key. */
export const layer = ({ secret_key, storage }: Config) => {
  if (secret_key !== null) return SecretBox.layer(Redacted.value(secret_key))
  if (storage.kind === "embedded") return Layer.unwrap(Effect.map(kept(storage.data_dir), SecretBox.layer))
  return Layer.unwrap(Effect.sync(() => SecretBox.layer(new Uint8Array(randomBytes(SecretBox.KEY_BYTES)))))
}
