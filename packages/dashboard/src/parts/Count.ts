/** Counts in words. */
const count = new Intl.NumberFormat("en")

export const digits = (number: number): string => count.format(number)

/** `1 attempt`, `1,200 attempts`. */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${digits(number)} ${number === 1 ? one : many}`
