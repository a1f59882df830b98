/** A delivery as a command for the shell, to try a receiver with. */
import type { WithBody } from "./Deliveries.ts"

/** What curl writes by itself, for its own connection. */
const OWN = new Set(["host", "connection", "content-length"])

/** One word for a shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/**
 * Sends what the latest attempt sent, signatures and all: a receiver takes it while its time is not too long ago. Before
 * there is an attempt, its time and with it the signatures are not known yet.
 */
export const curl = (url: string, { attempts }: Pick<WithBody, "attempts">, body: string): string => {
  const headers = Object.entries(attempts.at(-1)?.headers ?? { "Content-Type": "application/json" })
  return [
    // What a shell does by itself takes words of any length; a command takes 128 KiB, and a body may have more.
    `printf '%s' ${quoted(body)} |`,
    // A URL may have braces in it, which curl would take for several.
    `curl --globoff -X POST ${quoted(url)}`,
    // What curl adds and no attempt has.
    `-H 'Accept:'`,
    `-H 'Expect:'`,
    ...headers.filter(([name]) => !OWN.has(name)).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-binary @-`,
  ].join(" \\\n  ")
}
