/**
 * The colours of the charts. Each stands out against the page by 3 to 1, and from its neighbours by how light it is, for who
 * cannot tell green from red.
 */
export interface Colors {
  readonly succeeded: string
  readonly retried: string
  readonly failed: string
  readonly p50: string
  readonly p95: string
  readonly text: string
  readonly grid: string
}

export const colors = {
  light: {
    succeeded: "#12947a",
    retried: "#c08a00",
    failed: "#a3123c",
    p50: "#6d76ea",
    p95: "#2c2f7d",
    text: "#5a6270",
    grid: "#e4e6eb",
  },
  dark: {
    succeeded: "#3fc9a4",
    retried: "#ffd166",
    failed: "#e5476f",
    p50: "#6d76ea",
    p95: "#cbd0fb",
    text: "#a0a7b4",
    grid: "#2e333d",
  },
} as const satisfies Record<"light" | "dark", Colors>
