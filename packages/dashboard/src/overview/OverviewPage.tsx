/** The first page after signing in: how deliveries go, and what somebody should look at. */
import { SegmentedControl, Skeleton, Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { deliveries } from "../deliveries/Deliveries.ts"
import { Page } from "../layout/Page.tsx"
import { Loaded } from "../parts/Loaded.tsx"
import { Charts } from "./Charts.tsx"
import { Figures } from "./Figures.tsx"
import { FirstSteps } from "./FirstSteps.tsx"
import { attempts, overview } from "./Overview.ts"
import { DEFAULT, isSpan, overviewSearch, spans } from "./Search.ts"
import { TroubledEndpoints } from "./TroubledEndpoints.tsx"

const choices = Object.entries(spans).map(([value, { label }]) => ({ value, label }))

/** As high as the charts. */
const Outlines = () => (
  <Stack>
    <Skeleton h={285} radius="lg" />
    <Skeleton h={285} radius="lg" />
  </Stack>
)

export const OverviewPage = () => {
  const { span = DEFAULT } = useSearch({ from: "/shell/overview" })
  const navigate = useNavigate({ from: "/overview" })
  const found = useQuery(overview(span))
  const { data } = found
  // A quiet day is not a beginning: there it is asked whether there has ever been a delivery.
  const isQuiet = data !== undefined && attempts(data.totals) === 0 && data.troubled.length === 0
  const ever = useQuery({ ...deliveries({}, 1), enabled: isQuiet })
  const isNew = isQuiet && ever.data?.meta.total === 0
  // Nothing is drawn that would give way to the first steps in a moment.
  const shown = isQuiet && ever.isPending ? undefined : data
  return (
    <>
      <Page
        title="Overview"
        about={`How deliveries went in ${spans[span].words}, kept up to date.`}
        action={
          <SegmentedControl
            aria-label="How far back"
            data={choices}
            value={span}
            onChange={(next) => void navigate({ search: isSpan(next) ? overviewSearch({ span: next }) : {} })}
          />
        }
      />
      <Loaded query={found} what="overview">
        {isNew ? (
          <FirstSteps />
        ) : (
          <Stack gap="lg">
            <Figures totals={shown?.totals} />
            {shown === undefined ? <Outlines /> : <Charts overview={shown} />}
            <TroubledEndpoints rows={shown?.troubled} />
          </Stack>
        )}
      </Loaded>
    </>
  )
}
