/** The shortest call that a key can make. */
import { Code } from "@mantine/core"

export const Example = () => (
  <Code block className="example" tabIndex={0} role="region" aria-label="Example">
    {`curl ${globalThis.location.origin}/api/v1/stores \\\n  -H "Authorization: Bearer $TC_API_KEY"`}
  </Code>
)
