/** The latest deliveries of one endpoint, and how far a recovery of it is. */
import { Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { columns } from "../deliveries/Columns.tsx"
import { latest } from "../deliveries/Deliveries.ts"
import { Loaded } from "../parts/Loaded.tsx"
import { PageLink } from "../parts/PageLink.tsx"
import { Rows } from "../parts/Rows.tsx"
import { Note, Section } from "../parts/Section.tsx"
import { recoveries } from "./WebhookEndpoints.ts"

/** How each recovery is told of; null where there is nothing to tell any more. */
const told = {
  pending: "What it missed will be sent in a moment.",
  running: "What it missed is being sent.",
  completed: null,
  canceled: null,
} as const

const Recovering = ({ id }: { id: string }) => {
  const [last] = useQuery(recoveries(id)).data ?? []
  const word = last === undefined ? null : told[last.status]
  return last === undefined || word === null ? null : (
    <Text size="sm" c="dimmed" mb="sm" role="status">
      {word} {last.delivery_count} deliveries so far.
    </Text>
  )
}

export const Latest = ({ id }: { id: string }) => {
  const found = useQuery(latest(id))
  return (
    <Section
      title="Latest deliveries"
      aside={
        <PageLink to="/deliveries" search={{ endpoint_id: id }} size="sm">
          All deliveries of this endpoint
        </PageLink>
      }
    >
      <Recovering id={id} />
      <Loaded query={found} what="deliveries">
        {found.data?.data.length === 0 ? (
          <Note>
            Nothing has been sent to it yet. Deliveries appear here as events happen; a test event is not among them.
          </Note>
        ) : (
          <Rows label="Latest deliveries" columns={columns} rows={found.data?.data} id={(one) => one.id} live />
        )}
      </Loaded>
    </Section>
  )
}
