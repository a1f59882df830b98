/** A part of a page under a heading of its own. */
import { Group, Text, Title } from "@mantine/core"
import type { ReactNode } from "react"

interface Props {
  readonly title: string
  /** What stands at the other end of the heading's line. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

export const Section = ({ title, aside, children }: Props) => (
  <section>
    <Group justify="space-between" mt="xl" mb="sm">
      <Title order={2} size="h4">
        {title}
      </Title>
      {aside}
    </Group>
    {children}
  </section>
)

/** What is said in the place of what is not there. */
export const Note = ({ children }: { children: ReactNode }) => (
  <Text size="sm" c="dimmed" className="panel" p="md">
    {children}
  </Text>
)
