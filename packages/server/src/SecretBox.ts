/** Keeps signing secrets unreadable at rest: AES-256-GCM under one key of the operator. */
import { Context, Effect, Layer } from "effect"

/** Whose secret it is. A stored secret opens for its own endpoint only, so that none can be moved to another. */
export interface Owner {
  readonly account_id: string
  readonly endpoint_id: string
}

/** Bytes of the key. */
export const KEY_BYTES = 32
const IV_BYTES = 12
const VERSION = "v1:"

export class SecretBox extends Context.Service<
  SecretBox,
  {
    /** The form in which a secret is stored: `v1:` and base64. */
    readonly encrypt: (secret: string, owner: Owner) => Effect.Effect<string>
    /** The secret again. Dies when the key is not the one it was stored under, or when the stored form was changed. */
    readonly decrypt: (stored: string, owner: Owner) => Effect.Effect<string>
  }
>()("@tc/server/SecretBox") {}

/** Secrets under a key of 32 bytes. */
export const layer = (key: Uint8Array): Layer.Layer<SecretBox> => Layer.effect(SecretBox, make(key))

const make = Effect.fnUntraced(function* (bytes: Uint8Array) {
  if (bytes.length !== KEY_BYTES)
    return yield* Effect.die(new Error(`A secret key has ${KEY_BYTES} bytes, not ${bytes.length}.`))
  const key = yield* Effect.promise(() =>
    crypto.subtle.importKey("raw", Uint8Array.from(bytes), "AES-GCM", false, ["encrypt", "decrypt"]),
  )
  return SecretBox.of({
    encrypt: (secret, owner) =>
      Effect.promise(async () => {
        const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
        const sealed = await crypto.subtle.encrypt(algorithm(iv, owner), key, encoder.encode(secret))
        return VERSION + toBase64(iv) + toBase64(new Uint8Array(sealed))
      }),
    decrypt: (stored, owner) =>
      Effect.tryPromise(async () => {
        if (!stored.startsWith(VERSION)) throw new Error("its version is unknown")
        const all = fromBase64(stored.slice(VERSION.length))
        const opened = await crypto.subtle.decrypt(
          algorithm(all.subarray(0, IV_BYTES), owner),
          key,
          all.subarray(IV_BYTES),
        )
        return decoder.decode(opened)
      }).pipe(
        Effect.catch(({ cause }) =>
          Effect.die(
            new Error(
              `The signing secret of endpoint ${owner.endpoint_id} cannot be decrypted. Is the secret key the one it was stored under?`,
              { cause },
            ),
          ),
        ),
      ),
  })
})

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const algorithm = (iv: Uint8Array<ArrayBuffer>, { account_id, endpoint_id }: Owner) => ({
  name: "AES-GCM",
  iv,
  additionalData: encoder.encode(`${account_id}/${endpoint_id}`),
})

/** The 12 bytes of an IV are a whole number of base64 groups, so that what follows can be encoded by itself. */
const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
