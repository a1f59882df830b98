/** When events arrive, decided before a run begins: nobody waits for an answer before the next comes. */

export interface Arrivals {
  readonly events: number
  /** The mean rate of a Poisson process; null: all at once. */
  readonly per_second: number | null
  /** The same seed makes the same arrivals. */
  readonly seed: number
}

/** Numbers from 0 to 1, without 1, by mulberry32. */
const random = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Milliseconds from the beginning at which each event is to be sent, in order. */
export const times = ({ events, per_second, seed }: Arrivals): Float64Array => {
  const offsets = new Float64Array(events)
  if (per_second === null) return offsets
  const next = random(seed)
  let at = 0
  for (let index = 0; index < events; index++) {
    offsets[index] = at
    at -= (Math.log(1 - next()) * 1_000) / per_second
  }
  return offsets
}
