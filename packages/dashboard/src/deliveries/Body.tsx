/** The exact body that every attempt of a delivery sends, made easy to read where that is wanted. */
import { Group, Switch, Text, Title } from "@mantine/core"
import { useState } from "react"
import { Copy } from "../parts/Copy.tsx"

/** The same in lines; what is no JSON stays as it is. */
export const pretty = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

export const Body = ({ body }: { body: string | null }) => {
  const [raw, setRaw] = useState(false)
  return (
    <section>
      <Group justify="space-between" mt="xl" mb="sm">
        <Title order={2} size="h4">
          Body
        </Title>
        {body !== null && (
          <Group>
            <Switch
              label="Exactly as sent"
              checked={raw}
              onChange={({ currentTarget: { checked } }) => setRaw(checked)}
            />
            <Copy value={body} size="xs" variant="default" />
          </Group>
        )}
      </Group>
      {body === null ? (
        <Text size="sm" c="dimmed" className="panel" p="md">
          The event is so old that it was removed, and its body with it.
        </Text>
      ) : (
        // What scrolls can be reached with the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre className="block mono" tabIndex={0} role="region" aria-label="Body">
          {raw ? body : pretty(body)}
        </pre>
      )}
    </section>
  )
}
