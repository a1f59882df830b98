/** How a receiver verifies this very delivery. */
import { Text } from "@mantine/core"
import { BlockSection } from "../parts/Block.tsx"
import { PageLink } from "../parts/PageLink.tsx"
import type { WithBody } from "./Deliveries.ts"
import { snippet } from "./Snippet.ts"

/** With the latest attempt that the secret signed which the endpoint has now. */
export const Verify = ({ one: { attempts, body, endpoint_id } }: { one: WithBody }) => {
  const signed = attempts.findLast(({ signed_by_present }) => signed_by_present)
  return (
    <BlockSection
      title="Verify it"
      label="Code that verifies it"
      text={signed === undefined || body === null ? null : snippet(signed, body)}
      none={
        attempts.length === 0
          ? "It is signed with its first attempt: the code that verifies it appears here then."
          : "No attempt has a signature that can be verified with the endpoint’s secret of today. Send it again, and the code that does appears here."
      }
      copy="Copy code"
    >
      <Text size="sm" c="dimmed" mb="sm">
        Run it with Node where <span className="mono">@tc/webhooks</span> is installed, with the signing secret of{" "}
        <PageLink to="/webhook-endpoints/$id" params={{ id: endpoint_id }} size="sm" underline="always">
          the endpoint
        </PageLink>{" "}
        as <span className="mono">WEBHOOK_SECRET</span>. In other languages the libraries of Standard Webhooks verify
        it.
      </Text>
    </BlockSection>
  )
}
