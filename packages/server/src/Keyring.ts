/** The keys of one endpoint: each signs for as long as it may, and not a millisecond longer. */
import type { SigningSecrets } from "@tc/domain"
import { Signer } from "@tc/webhooks"

/** The signer with the keys that are valid at a time, in milliseconds since 1970. */
export type Keyring = (now: number) => Signer.Signer

/** Makes the signer once for all the time between two ends. Throws where one of the secrets, in the clear here, is none. */
export const make = (secrets: ReadonlyArray<SigningSecrets.SigningSecret>, options: Signer.Options): Keyring => {
  const signerOf = (some: typeof secrets) =>
    Signer.make(
      some.map(({ secret }) => secret),
      options,
    )
  let signer = signerOf(secrets)
  let until = Math.min(...secrets.map((one) => one.until))
  return (now) => {
    if (now >= until) {
      const valid = secrets.filter((one) => now < one.until)
      signer = signerOf(valid)
      until = Math.min(...valid.map((one) => one.until))
    }
    return signer
  }
}
