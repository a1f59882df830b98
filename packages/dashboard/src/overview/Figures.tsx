/** The span in three figures. */
import { Skeleton, Text } from "@mantine/core"
import { took } from "../deliveries/Outcome.tsx"
import { percent } from "../parts/Activity.tsx"
import { counted, digits } from "../parts/Count.ts"
import { attempts, type Overview } from "./Overview.ts"

const figuresOf = (totals: Overview["totals"]) => {
  const { succeeded, retried, failed, success_rate, p50_ms, p95_ms } = totals
  return [
    {
      name: "Deliveries ended",
      value: digits(succeeded + failed),
      more: `${digits(succeeded)} succeeded, ${digits(failed)} failed`,
    },
    {
      name: "Success rate",
      value: success_rate === null ? "–" : percent(success_rate),
      more: `of ${counted(attempts(totals), "attempt")}, ${digits(retried)} of them retried`,
    },
    {
      name: "Time to an answer (p95)",
      value: p95_ms === null ? "–" : took(p95_ms),
      more: p50_ms === null ? "No attempts" : `half of them within ${took(p50_ms)}`,
    },
  ]
}

/** Undefined while they load. */
export const Figures = ({ totals }: { totals: Overview["totals"] | undefined }) => (
  <dl className="figures">
    {totals === undefined
      ? [0, 1, 2].map((nth) => <Skeleton key={nth} h={112} radius="lg" />)
      : figuresOf(totals).map(({ name, value, more }) => (
          <div key={name} className="panel figure">
            <dt>{name}</dt>
            <dd>{value}</dd>
            <Text component="dd" size="xs" c="dimmed">
              {more}
            </Text>
          </div>
        ))}
  </dl>
)
