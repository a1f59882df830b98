/** How deliveries go: asked for again and again while it is looked at, and said in words. */
import type { Dashboard } from "@tc/api"
import type { Trouble } from "@tc/domain"
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { get } from "../Api.ts"

export type Overview = Dashboard.Overview
export type Step = Overview["steps"][number]
export type Troubled = Overview["troubled"][number]

/** Milliseconds after which it is asked for again. */
const FRESH_MS = 5_000

export const overview = (span: Dashboard.Span) =>
  queryOptions({
    queryKey: ["overview", span],
    queryFn: ({ signal }) => get<Overview>("/overview", { span }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: FRESH_MS,
  })

export const attempts = ({ succeeded, retried, failed }: Pick<Step, "succeeded" | "retried" | "failed">): number =>
  succeeded + retried + failed

/** Why an endpoint is in trouble, in words, and in which colour. */
export const reasons = {
  auto_disabled: { label: "Auto-disabled", color: "red" },
  failing: { label: "Deliveries fail", color: "red" },
  low_success_rate: { label: "Many attempts fail", color: "yellow" },
} as const satisfies Record<Trouble.Reason, { label: string; color: string }>
