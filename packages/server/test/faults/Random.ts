/** Chance that comes again with its seed. */

/** A whole number from 0 up to a limit, which it is less than. */
export type Random = (limit: number) => number

/** The generator mulberry32. */
export const make = (seed: number): Random => {
  let state = seed | 0
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
}
