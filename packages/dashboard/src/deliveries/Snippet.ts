/** A program that verifies one delivery as it was sent, to be pasted and run. */
import type { Attempt } from "./Deliveries.ts"

/** Headers that `verify` reads, of both schemes. */
const READ = /^(x-.+-(signature|timestamp)|webhook-(id|timestamp|signature))$/i

/** The word in the names of the service's own headers. */
const brandOf = (headers: Attempt["headers"]): string =>
  Object.keys(headers)
    .map((name) => /^x-(.+)-signature$/i.exec(name)?.[1])
    .find((brand) => brand !== undefined) ?? "Service"

/** Of an attempt with its signatures. The secret is read from the environment, so that it gets into no file. */
export const snippet = ({ headers, number, started_at }: Attempt, body: string): string => {
  const read = Object.entries(headers).filter(([name]) => READ.test(name))
  const brand = brandOf(headers)
  const options = [
    ...(brand === "Service" ? [] : [`brand: ${JSON.stringify(brand)}`]),
    `now: Date.parse("${started_at}")`,
  ]
  return `import { verify } from "@tc/webhooks/verify"

// What attempt ${number} sent. A receiver hands over the request itself, with its body as it came in.
const headers = {
${read.map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`).join("\n")}
}
const body = ${JSON.stringify(body)}

// As if it had just come in: a receiver leaves \`now\` out, and what is older than five minutes is refused.
const result = await verify({ headers, body }, process.env["WEBHOOK_SECRET"] ?? "", { ${options.join(", ")} })
console.log(result.ok ? \`It verifies: \${result.event.event}\` : \`It does not verify: \${result.reason}\`)
`
}
