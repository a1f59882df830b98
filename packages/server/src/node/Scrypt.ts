/** Passwords under scrypt, as Node.js has it. */
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from "node:crypto"
import { Effect, Layer, Semaphore } from "effect"
import { Passwords } from "../Passwords.ts"

/** 2^15 blocks of 1 KiB, three times over: 32 MiB and about a quarter of a second, as OWASP advises. */
const COST = { ln: 15, r: 8, p: 3 } as const
const SALT_BYTES = 16
const HASH_BYTES = 32
/** Hashes computed at the same time: each takes its memory, and who asks for more waits. */
const AT_ONCE = 2
/** Twice the memory that scrypt works on: what Node.js refuses to go beyond. */
const MEMORY_FACTOR = 2 * 128

interface Cost {
  readonly ln: number
  readonly r: number
  readonly p: number
}

const derive = (password: string, salt: Buffer, bytes: number, { ln, r, p }: Cost): Promise<Buffer> => {
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: MEMORY_FACTOR * 2 ** ln * r }
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  scrypt(password.normalize("NFC"), salt, bytes, options, (error, hash) => (error ? reject(error) : resolve(hash)))
  return promise
}

/** The form of the password hashing competition: `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`, both in base64 without padding. */
const FORMAT = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

const base64 = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "")

/** What stands in for a hash that cannot be read: no password has it, and to find that out takes as long. */
const nothing = { cost: COST, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) }

const parse = (text: string): { readonly cost: Cost; readonly salt: Buffer; readonly hash: Buffer } => {
  const [, ln, r, p, salt, hash] = FORMAT.exec(text) ?? []
  if (salt === undefined || hash === undefined) return nothing
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) }
  return { cost, salt: Buffer.from(salt, "base64"), hash: Buffer.from(hash, "base64") }
}

export const layer: Layer.Layer<Passwords> = Layer.sync(Passwords, () => {
  const slots = Semaphore.makeUnsafe(AT_ONCE)
  const slowly = <A>(run: () => Promise<A>) => slots.withPermit(Effect.promise(run))
  return Passwords.of({
    hash: (password) =>
      slowly(async () => {
        const salt = randomBytes(SALT_BYTES)
        const hash = await derive(password, salt, HASH_BYTES, COST)
        return `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${base64(salt)}$${base64(hash)}`
      }),
    verify: (password, text) =>
      slowly(async () => {
        const { cost, salt, hash } = parse(text)
        return timingSafeEqual(await derive(password, salt, hash.length, cost), hash)
      }),
  })
})
