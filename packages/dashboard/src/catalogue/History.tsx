/** What led to a record: its events, newest first. */
import { Text, Timeline } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { ofEvent } from "../deliveries/Search.ts"
import { counted } from "../parts/Count.ts"
import { Loaded } from "../parts/Loaded.tsx"
import { PageLink } from "../parts/PageLink.tsx"
import { Pages } from "../parts/Pages.tsx"
import { Note, Section } from "../parts/Section.tsx"
import { Time } from "../parts/Time.tsx"
import { history, type Kind } from "./Records.ts"

const delivered = (count: number): string => (count === 0 ? "No deliveries" : counted(count, "delivery", "deliveries"))

export const History = ({ kind, id }: { kind: Kind; id: string }) => {
  const [page, setPage] = useState(1)
  const found = useQuery(history(kind, id, page))
  const { data } = found
  return (
    <Section title="What happened">
      <Loaded query={found} what="events">
        {data?.data.length === 0 ? (
          <Note>Its events are so old that they were removed.</Note>
        ) : (
          <Timeline
            className="panel"
            p="lg"
            bulletSize={14}
            lineWidth={2}
            active={-1}
            mih={96}
            aria-busy={data === undefined}
          >
            {data?.data.map(({ id, event, occurred_at, delivery_count }) => (
              <Timeline.Item key={id}>
                <Text size="sm" fw={500} className="mono">
                  {event}
                </Text>
                <Text size="sm" c="dimmed">
                  <Time at={occurred_at} /> ·{" "}
                  {delivery_count === 0 ? (
                    delivered(0)
                  ) : (
                    <PageLink to="/deliveries" search={ofEvent(event, occurred_at)} size="sm">
                      {delivered(delivery_count)}
                    </PageLink>
                  )}
                </Text>
              </Timeline.Item>
            ))}
          </Timeline>
        )}
      </Loaded>
      {data !== undefined && data.meta.total_pages > 1 && <Pages meta={data.meta} onPage={(next) => setPage(next)} />}
    </Section>
  )
}
