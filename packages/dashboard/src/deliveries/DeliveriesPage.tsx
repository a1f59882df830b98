/** Every delivery of the account, newest first; new ones appear by themselves. */
import { Button } from "@mantine/core"
import { IconPlayerPause, IconPlayerPlay, IconSend } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { whenPassed } from "../Client.ts"
import { Page } from "../layout/Page.tsx"
import { Empty } from "../parts/Empty.tsx"
import { Loaded } from "../parts/Loaded.tsx"
import { Pages } from "../parts/Pages.tsx"
import { Rows } from "../parts/Rows.tsx"
import { known } from "../webhook_endpoints/WebhookEndpoints.ts"
import { columnsWith } from "./Columns.tsx"
import { deliveries } from "./Deliveries.ts"
import { Filter } from "./Filter.tsx"
import { isNarrow } from "./Search.ts"

const Pause = ({ paused, onChange }: { paused: boolean; onChange: (paused: boolean) => void }) => {
  const Icon = paused ? IconPlayerPlay : IconPlayerPause
  return (
    <Button variant="default" leftSection={<Icon size={16} aria-hidden />} onClick={() => onChange(!paused)}>
      {paused ? "Go on" : "Pause"}
    </Button>
  )
}

export const DeliveriesPage = () => {
  const search = useSearch({ from: "/shell/deliveries" })
  const navigate = useNavigate({ from: "/deliveries" })
  const [paused, setPaused] = useState(false)
  const found = useQuery({
    ...deliveries(search),
    ...(paused ? { refetchInterval: false, refetchOnWindowFocus: false } : {}),
  })
  // Their URLs hardly change, and what else is known of them costs the server a look at a day of attempts.
  const endpoints = useQuery({ ...known, refetchInterval: whenPassed })
  const urls = endpoints.data && new Map(endpoints.data.data.map(({ id, url }) => [id, url]))
  return (
    <>
      <Page
        title="Deliveries"
        about={`Events on their way to your endpoints. ${paused ? "They are shown as they were when you paused." : "New ones appear by themselves."}`}
        action={<Pause paused={paused} onChange={setPaused} />}
      />
      <Filter search={search} onChange={(next) => void navigate({ search: next })} />
      <Loaded query={found} what="deliveries">
        {found.data?.data.length === 0 ? (
          <Empty
            icon={IconSend}
            title="No deliveries"
            description={
              isNarrow(search)
                ? "There is none like this. Choose another status, event, endpoint or time, or show all."
                : "An event that happens is delivered to every webhook endpoint that subscribes to it, and appears here."
            }
          />
        ) : (
          <Rows
            // Others that somebody asks for are there at once.
            key={JSON.stringify(search)}
            live
            label="Deliveries"
            columns={columnsWith(urls)}
            rows={found.data?.data}
            expected={10}
            id={({ id }) => id}
          />
        )}
      </Loaded>
      <Pages
        quiet
        meta={found.data?.meta}
        onPage={(page, replace) => void navigate({ search: { ...search, page }, replace })}
      />
    </>
  )
}
