/** New ids: UUIDv7 that grow within a process, so that records made in the same millisecond keep their order. */
import { Id } from "@tc/domain"

const COUNTER_MAX = 0xfff
const POOL_BYTES = 4096
const RANDOM_BYTES = 10

/** A source of ids. It takes the time in milliseconds; when a millisecond's 4,096 ids are used it borrows from the next. */
export const make = (): ((now: number) => string) => {
  const pool = new Uint8Array(POOL_BYTES)
  let offset = POOL_BYTES
  let millis = 0
  let counter = 0
  return (now) => {
    if (now > millis) {
      millis = now
      counter = 0
    } else if (++counter > COUNTER_MAX) {
      millis += 1
      counter = 0
    }
    if (offset + RANDOM_BYTES > POOL_BYTES) {
      crypto.getRandomValues(pool)
      offset = 0
    }
    pool[offset] = counter >> 8
    pool[offset + 1] = counter & 0xff
    const id = Id.uuidV7(millis, pool, offset)
    offset += RANDOM_BYTES
    return id
  }
}

/** Characters of a delivery's id that are those of its event's: all but the random end. */
const SHARED = 18

/** The id of a delivery: it begins as the id of its event, which orders it as that, and ends as `fresh` does. */
export const ofDelivery = (event_id: string, fresh: string): string => event_id.slice(0, SHARED) + fresh.slice(SHARED)
