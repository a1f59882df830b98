/** The deliveries in a database of ours or of the floor, which call their states alike, counted for the ledger. */
import type { Pool } from "pg"
import type { Counts } from "./Ledger.ts"

/** Reads the counts; `text` answers rows of `status` and `deliveries`. */
export const read = async (pool: Pool, text: string): Promise<Counts> => {
  const { rows } = await pool.query<{ status: string; deliveries: number }>(text)
  const of = (status: string) => rows.find((row) => row.status === status)?.deliveries ?? 0
  return {
    delivered: of("succeeded"),
    pending: of("pending") + of("delivering"),
    failed: of("failed"),
    canceled: of("canceled"),
  }
}
