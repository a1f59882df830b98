/** How far back the overview looks: it stands in the address, so that it can be shared and gone back to. */
import type { Dashboard } from "@tc/api"
import { isNameIn } from "../parts/Address.ts"

export interface OverviewSearch {
  readonly span?: Dashboard.Span
}

/** What the spans are called, there where they are chosen and in a sentence, and each of their steps. */
export const spans = {
  "1h": { label: "Hour", words: "the last hour", step: "minute" },
  "24h": { label: "Day", words: "the last 24 hours", step: "15 minutes" },
  "7d": { label: "Week", words: "the last 7 days", step: "2 hours" },
} as const satisfies Record<Dashboard.Span, { label: string; words: string; step: string }>

export const DEFAULT: Dashboard.Span = "24h"

export const isSpan = (value: unknown): value is Dashboard.Span => isNameIn(spans, value)

/** The part of an address that makes sense; the rest is left out. */
export const overviewSearch = ({ span }: Record<string, unknown>): OverviewSearch =>
  isSpan(span) && span !== DEFAULT ? { span } : {}
