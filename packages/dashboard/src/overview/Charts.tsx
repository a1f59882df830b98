/** What the overview draws: attempts by how they went, and how long they took. */
import { Stack } from "@mantine/core"
import { took } from "../deliveries/Outcome.tsx"
import { Chart } from "./Chart.tsx"
import type { Overview } from "./Overview.ts"
import { spans } from "./Search.ts"

const short = new Intl.NumberFormat("en", { notation: "compact" })

export const Charts = ({ overview: { span, step_seconds, steps, totals } }: { overview: Overview }) => {
  const times = steps.map(({ at }) => Date.parse(at) / 1_000)
  const common = { times, step: step_seconds }
  const { succeeded, retried, failed, p50_ms, p95_ms } = totals
  const quick = p50_ms === null ? "none" : took(p50_ms)
  return (
    <Stack>
      <Chart
        {...common}
        key={`attempts-${span}`}
        title={`Attempts per ${spans[span].step}`}
        summary={`${spans[span].words}, ${succeeded} succeeded, ${retried} retried, ${failed} failed.`}
        kind="stack"
        format={(value) => short.format(value)}
        lines={[
          { name: "Succeeded", color: "succeeded", values: steps.map(({ succeeded }) => succeeded) },
          { name: "Retried", color: "retried", values: steps.map(({ retried }) => retried) },
          { name: "Failed", color: "failed", values: steps.map(({ failed }) => failed) },
        ]}
      />
      <Chart
        {...common}
        key={`durations-${span}`}
        title="Time to an answer"
        summary={`${spans[span].words}, half of the attempts within ${quick}, 95% within ${p95_ms === null ? "none" : took(p95_ms)}.`}
        kind="lines"
        format={took}
        lines={[
          { name: "p95", color: "p95", values: steps.map(({ p95_ms }) => p95_ms) },
          { name: "p50", color: "p50", values: steps.map(({ p50_ms }) => p50_ms) },
        ]}
      />
    </Stack>
  )
}
