/** Every attempt of a delivery: when, how long, and what came back. */
import { Box, Group, Stack, Text, Title } from "@mantine/core"
import { Note, Section } from "../parts/Section.tsx"
import { Time } from "../parts/Time.tsx"
import type { Attempt, WithBody } from "./Deliveries.ts"
import { Headers } from "./Headers.tsx"
import { Excerpt, OutcomeLine } from "./Outcome.tsx"

const One = ({ attempt }: { attempt: Attempt }) => (
  <Box component="li" p="md">
    <Group justify="space-between" gap="xs" mb="xs">
      <Title order={3} size="h6">
        Attempt {attempt.number}
      </Title>
      <Text size="sm" c="dimmed" component="span">
        <Time at={attempt.started_at} />
      </Text>
    </Group>
    <Stack gap="xs">
      <OutcomeLine outcome={attempt} />
      {attempt.status_code !== null && (
        <Excerpt text={attempt.response_excerpt} label={`The answer to attempt ${attempt.number}`} />
      )}
      <Headers attempt={attempt} />
    </Stack>
  </Box>
)

/** The latest first: it says how things are. */
export const Attempts = ({ attempts, status }: Pick<WithBody, "attempts" | "status">) => (
  <Section title="Attempts">
    {attempts.length === 0 ? (
      <Note>{status === "delivering" ? "The first is under way." : "None has been made."}</Note>
    ) : (
      <ul className="cards panel" aria-label="Attempts">
        {attempts.toReversed().map((attempt) => (
          <One key={attempt.number} attempt={attempt} />
        ))}
      </ul>
    )}
  </Section>
)
