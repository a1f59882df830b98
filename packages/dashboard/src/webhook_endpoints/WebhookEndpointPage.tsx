/** One webhook endpoint: how it stands, what can be done with it, and what was sent to it of late. */
import { usePrefetchQuery, useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { latest } from "../deliveries/Deliveries.ts"
import { Page } from "../layout/Page.tsx"
import { useSubject } from "../parts/Dialog.tsx"
import { Loaded } from "../parts/Loaded.tsx"
import { PageLink } from "../parts/PageLink.tsx"
import { useMay } from "../session/Session.ts"
import { About } from "./About.tsx"
import { type Act, Actions } from "./Actions.tsx"
import { Latest } from "./Latest.tsx"
import { Off } from "./Off.tsx"
import { endpoint, hostOf } from "./WebhookEndpoints.ts"

export const WebhookEndpointPage = () => {
  const { id } = useParams({ from: "/shell/webhook-endpoints/$id" })
  const found = useQuery(endpoint(id))
  const { data } = found
  // They are drawn below what is known of the endpoint, which may turn out to be long.
  usePrefetchQuery(latest(id))
  const may = useMay("developer")
  const act = useSubject<Act>()
  return (
    <>
      <PageLink to="/webhook-endpoints" size="sm">
        Webhook endpoints
      </PageLink>
      <Page
        title={data === undefined ? "Webhook endpoint" : hostOf(data.url)}
        about={<span className="mono">{data?.url ?? id}</span>}
        action={may && data !== undefined && <Actions endpoint={data} act={act} />}
      />
      <Loaded query={found} what="endpoint">
        {data !== undefined && <Off endpoint={data} onEnable={may ? () => act.open("enable") : undefined} />}
        <About endpoint={data} />
        {data !== undefined && <Latest id={id} />}
      </Loaded>
    </>
  )
}
