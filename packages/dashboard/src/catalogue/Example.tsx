/** The shortest call that creates a record. */
import { Code } from "@mantine/core"

interface Props {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

export const Example = ({ path, body }: Props) => (
  <Code block className="example" tabIndex={0} role="region" aria-label="Example">
    {[
      `curl ${globalThis.location.origin}/api/v1/${path}`,
      `-H "Authorization: Bearer $TC_API_KEY"`,
      `-H "Content-Type: application/json"`,
      `-d '${JSON.stringify(body)}'`,
    ].join(" \\\n  ")}
  </Code>
)
