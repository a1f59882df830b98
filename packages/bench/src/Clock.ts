/** One clock for all processes of the machine: the kernel's monotonic one, so that times of different processes compare. */

const origin = Number(process.hrtime.bigint()) / 1e6 - performance.now()

/** Milliseconds, with fractions, since the machine started. */
export const now = (): number => origin + performance.now()
