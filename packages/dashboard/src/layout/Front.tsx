/** The frame of the pages in front of the dashboard: signing in and becoming a member. */
import { Box, Center, Group, Paper, Text, Title } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import type { ReactNode } from "react"
import { Logo } from "./Logo.tsx"

export const Front = ({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) => {
  useDocumentTitle(`${title} · tc`)
  return (
    <Center component="main" className="front" mih="100dvh" p="md">
      <Box w="100%" maw={420}>
        <Group justify="center" gap="sm" mb="lg">
          <Logo size={36} />
          <Text fw={600} size="lg">
            tc
          </Text>
        </Group>
        <Paper className="panel" p={{ base: "lg", xs: 32 }} shadow="sm">
          <Title order={1} size="h3" mb={about === undefined ? "lg" : 4}>
            {title}
          </Title>
          {about !== undefined && (
            <Text c="dimmed" size="sm" mb="lg">
              {about}
            </Text>
          )}
          {children}
        </Paper>
      </Box>
    </Center>
  )
}
