/** Signing secrets: `whsec_` and 24 to 64 bytes in base64, as Standard Webhooks has them. */

const prefix = "whsec_"

/** A new secret, of the 32 random bytes given or of the runtime's own. Throws a RangeError for fewer than 24 or more than 64. */
export const make = (random: Uint8Array = crypto.getRandomValues(new Uint8Array(32))): string => {
  const secret = prefix + btoa(String.fromCharCode(...random))
  if (!isSecret(secret)) throw new RangeError(`a signing secret takes 24 to 64 random bytes, not ${random.length}`)
  return secret
}

/** Whether this is a secret as `make` writes them. */
export const isSecret = (text: unknown): text is string => typeof text === "string" && decode(text) !== undefined

/** The bytes behind the prefix: the key of the Standard Webhooks scheme. Undefined where it is no secret. */
export const decode = (secret: string): Uint8Array<ArrayBuffer> | undefined => {
  const base64 = secret.slice(prefix.length)
  if (!secret.startsWith(prefix) || !/^[A-Za-z\d+/]{32,87}={0,2}$/.test(base64) || base64.length % 4 !== 0)
    return undefined
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return bytes.length <= 64 && btoa(String.fromCharCode(...bytes)) === base64 ? bytes : undefined
}
