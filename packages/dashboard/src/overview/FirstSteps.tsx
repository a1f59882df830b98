/** What to do in an account in which nothing has been delivered yet, and what of it is done. */
import { Box, Skeleton, Text, ThemeIcon, Title, VisuallyHidden } from "@mantine/core"
import { IconCheck } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { apiKeys } from "../api_keys/ApiKeys.ts"
import { audit } from "../audit/Audit.ts"
import { PageLink } from "../parts/PageLink.tsx"
import { endpoints } from "../webhook_endpoints/WebhookEndpoints.ts"

const Step = ({
  number,
  done,
  link,
  children,
}: {
  number: number
  done: boolean
  link: ReactNode
  children: string
}) => (
  <li>
    <ThemeIcon variant="light" color={done ? "teal" : "accent"} radius="xl" size={32} aria-hidden>
      {done ? <IconCheck size={18} /> : number}
    </ThemeIcon>
    <div>
      <Text fw={500}>
        {link}
        {done && <VisuallyHidden> (done)</VisuallyHidden>}
      </Text>
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </div>
  </li>
)

export const FirstSteps = () => {
  const keys = useQuery(apiKeys({ per_page: 1 }))
  const known = useQuery(endpoints({ per_page: 1 }))
  const tests = useQuery(audit({ action: "webhook_endpoint.tested" }))
  if (keys.isPending || known.isPending || tests.isPending) return <Skeleton h={320} radius="lg" />
  const [endpoint] = known.data?.data ?? []
  const test = "Send a test event"
  return (
    <Box component="section" className="panel" p="lg" aria-labelledby="first-steps">
      <Title order={2} size="h4" id="first-steps">
        Nothing has been delivered yet
      </Title>
      <Text size="sm" c="dimmed" mt={4}>
        Four steps to the first webhook. Charts of how deliveries go appear here with the first.
      </Text>
      <ol className="steps">
        <Step
          number={1}
          done={(keys.data?.meta.total ?? 0) > 0}
          link={<PageLink to="/api-keys">Create an API key</PageLink>}
        >
          Your programs use it to create products, designs and assets. What they change becomes events.
        </Step>
        <Step
          number={2}
          done={endpoint !== undefined}
          link={<PageLink to="/webhook-endpoints">Create a webhook endpoint</PageLink>}
        >
          The URL of your program that events are posted to, and which events it wants.
        </Step>
        <Step
          number={3}
          done={(tests.data?.meta.total ?? 0) > 0}
          link={
            endpoint === undefined ? (
              <PageLink to="/webhook-endpoints">{test}</PageLink>
            ) : (
              <PageLink to="/webhook-endpoints/$id" params={{ id: endpoint.id }}>
                {test}
              </PageLink>
            )
          }
        >
          See at once what your program answers. Tests are no deliveries: they are not counted here.
        </Step>
        <Step
          number={4}
          done={false}
          link={
            <PageLink to="/catalogue/$kind" params={{ kind: "assets" }}>
              Create an asset through the REST API
            </PageLink>
          }
        >
          Or anything else that there are events of: who subscribes to them is told of it within a moment.
        </Step>
      </ol>
    </Box>
  )
}
