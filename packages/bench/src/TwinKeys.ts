/** The twin's authentication: an API key looked up by its prefix and compared by its hash in constant time. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import type { Pool } from "pg"
import * as Tables from "./TwinTables.ts"

interface Row {
  readonly account_id: string
  readonly hash: Buffer
  readonly scopes: ReadonlyArray<string>
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
}

const shape = /^Bearer (tc_([0-9a-f]{8})[0-9a-f]{56})$/

const sha256 = (key: string) => createHash("sha256").update(key).digest()

/** The account and the scopes of the key in an Authorization header, or undefined when it opens nothing. */
export const authenticate = async (pool: Pool, header: string | undefined): Promise<Row | undefined> => {
  const [, key, prefix] = shape.exec(header ?? "") ?? []
  if (key === undefined) return undefined
  const { rows } = await pool.query<Row>({ name: "key", text: Tables.key, values: [prefix] })
  const hash = sha256(key)
  const row = rows.find((candidate) => timingSafeEqual(candidate.hash, hash))
  if (row === undefined || row.revoked_at !== null) return undefined
  return row.expires_at === null || row.expires_at.getTime() > Date.now() ? row : undefined
}

/** Adds a key with every scope to the account; answers it in plain. */
export const create = async (pool: Pool, account: string): Promise<string> => {
  const hex = randomBytes(32).toString("hex")
  await pool.query(
    "INSERT INTO api_keys (account_id, prefix, hash, scopes, expires_at) VALUES ($1, $2, $3, $4, now() + interval '1 day')",
    [account, hex.slice(0, 8), sha256(`tc_${hex}`), ["read", "write", "delete"]],
  )
  return `tc_${hex}`
}
