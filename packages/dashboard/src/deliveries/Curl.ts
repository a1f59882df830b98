/** A delivery as a command for the shell, to try a receiver with. */
import type { WithBody } from "./Deliveries.ts"

/** The brand in the names of headers, where the server has no other. */
const BRAND = "Service"

/** One word for a shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Its signature is left out: that would need the secret. */
export const curl = (url: string, { id, event }: Pick<WithBody, "id" | "event">, body: string): string =>
  [
    `curl -X POST ${quoted(url)}`,
    `-H 'Content-Type: application/json'`,
    `-H ${quoted(`X-${BRAND}-Event: ${event}`)}`,
    `-H ${quoted(`X-${BRAND}-Delivery: ${id}`)}`,
    `-H ${quoted(`webhook-id: ${id}`)}`,
    `--data-raw ${quoted(body)}`,
  ].join(" \\\n  ")
