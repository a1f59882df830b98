/** Passwords under scrypt, as Node.js has it. */
import { Errors } from "@tc/api"
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from "node:crypto"
import { Context, Effect, Layer, Semaphore } from "effect"
import { type Line, Passwords } from "../Passwords.ts"

const SALT_BYTES = 16
const HASH_BYTES = 32
/** Hashes computed at the same time: each takes its memory, and who asks for more waits. */
const AT_ONCE = 2
/** Who may wait for that in each line, before others are told to come back: a few seconds' work. */
const WAITING_MAX = 32
/** UTF-16 units of a password at most: to bring a long one into its normal form may take minutes. */
const PASSWORD_MAX = 1_000
/** Twice the memory that scrypt works on: what Node.js refuses to go beyond. */
const MEMORY_FACTOR = 2 * 128

/** 2^`ln` blocks of 128 bytes times `r`, `p` times over. */
export interface Cost {
  readonly ln: number
  readonly r: number
  readonly p: number
}

/** What a new hash costs: 32 MiB and about a quarter of a second, as OWASP advises. Less is for tests of something else. */
export const ScryptCost: Context.Reference<Cost> = Context.Reference("@tc/server/node/ScryptCost", {
  defaultValue: (): Cost => ({ ln: 15, r: 8, p: 3 }),
})

const derive = (password: string, salt: Buffer, bytes: number, { ln, r, p }: Cost): Promise<Buffer> => {
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: MEMORY_FACTOR * 2 ** ln * r }
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  if (password.length > PASSWORD_MAX) throw new RangeError(`A password has ${PASSWORD_MAX} UTF-16 units at most.`)
  scrypt(password.normalize("NFC"), salt, bytes, options, (error, hash) => (error ? reject(error) : resolve(hash)))
  return promise
}

/** The form of the password hashing competition: `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`, both in base64 without padding. */
const FORMAT = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

const base64 = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "")

/** What a text says of a hash. Where it says nothing: what no password has, and to find that out takes as long. */
const parse = (text: string, usual: Cost): { readonly cost: Cost; readonly salt: Buffer; readonly hash: Buffer } => {
  const [, ln, r, p, salt, hash] = FORMAT.exec(text) ?? []
  if (salt === undefined || hash === undefined)
    return { cost: usual, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) }
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) }
  return { cost, salt: Buffer.from(salt, "base64"), hash: Buffer.from(hash, "base64") }
}

const busy = new Errors.ServiceUnavailable({ message: "Too many people are signing in. Try again in a few seconds." })

/** Has computations take turns. At the slots themselves no stranger waits before others: these wait for the gate first. */
const turns = () => {
  const slots = Semaphore.makeUnsafe(AT_ONCE)
  const gate = Semaphore.makeUnsafe(AT_ONCE)
  const waiting: Record<Line, number> = { known: 0, strangers: 0 }
  return <A>(run: () => Promise<A>, line: Line) =>
    Effect.suspend(() => {
      if (waiting[line] >= WAITING_MAX) return Effect.fail(busy)
      waiting[line] += 1
      // What has begun goes on, whether or not anybody wants it any more: its slot is taken until then.
      const begun = slots.withPermit(Effect.uninterruptible(Effect.promise(run)))
      return Effect.ensuring(
        line === "strangers" ? gate.withPermit(begun) : begun,
        Effect.sync(() => (waiting[line] -= 1)),
      )
    })
}

const make = Effect.gen(function* () {
  const usual = yield* ScryptCost
  const slowly = turns()
  return Passwords.of({
    hash: (password) =>
      slowly(async () => {
        const salt = randomBytes(SALT_BYTES)
        const hash = await derive(password, salt, HASH_BYTES, usual)
        return `$scrypt$ln=${usual.ln},r=${usual.r},p=${usual.p}$${base64(salt)}$${base64(hash)}`
      }, "known"),
    verify: (password, text, line = "known") =>
      slowly(async () => {
        const { cost, salt, hash } = parse(text, usual)
        return timingSafeEqual(await derive(password, salt, hash.length, cost), hash)
      }, line),
  })
})

export const layer: Layer.Layer<Passwords> = Layer.effect(Passwords, make)
