/** The head of a page: its title, there and in the window, one sentence about it, and what can be done with all of it. */
import { Box, Group, Text, Title } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import type { ReactNode } from "react"

export const Page = ({ title, about, action }: { title: string; about?: ReactNode; action?: ReactNode }) => {
  useDocumentTitle(`${title} · tc`)
  return (
    <Group justify="space-between" align="flex-end" gap="md" mb="lg">
      <Box maw={640}>
        {/* The layout moves the focus here when another page is opened. */}
        <Title order={1} size="h2" tabIndex={-1}>
          {title}
        </Title>
        {about !== undefined && (
          <Text c="dimmed" size="sm" mt={4}>
            {about}
          </Text>
        )}
      </Box>
      {action}
    </Group>
  )
}
