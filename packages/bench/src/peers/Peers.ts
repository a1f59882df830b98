/** The peers of a run: those that can be measured on this machine, and why the others cannot. */
import type { Contender } from "../Rig.ts"
import * as BullMq from "./BullMq.ts"
import * as GraphileWorker from "./GraphileWorker.ts"
import * as PgBoss from "./PgBoss.ts"
import * as Redis from "./Redis.ts"

/** A peer, and how it is configured or why it is not measured. */
export interface Peer {
  readonly name: string
  readonly note: string
  /** Null where it cannot be measured. */
  readonly contender: Contender | null
}

const postgres = (name: string, module: string, note: string): Peer => ({
  name,
  note,
  contender: { name, module: import.meta.resolve(module) },
})

/** Runs `use` with all peers, those that need more than PostgreSQL included where that is to be had. */
export const within = async <A>(use: (peers: ReadonlyArray<Peer>) => Promise<A>): Promise<A> => {
  const redis = await Redis.start()
  const name = "bullmq"
  try {
    return await use([
      postgres("graphile-worker", "./GraphileWorker.ts", GraphileWorker.note),
      postgres("pg-boss", "./PgBoss.ts", PgBoss.note),
      redis === null
        ? { name, note: "not measured: no Redis", contender: null }
        : {
            name,
            note: BullMq.note,
            contender: { name, module: import.meta.resolve("./BullMq.ts"), database: async () => redis.url },
          },
    ])
  } finally {
    await redis?.stop()
  }
}
