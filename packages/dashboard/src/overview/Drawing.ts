/** How the lines of a chart are drawn: what uPlot is told of scales, axes and colours. */
import uPlot from "uplot"
import type { Colors } from "./Colors.ts"
import type { Line } from "./Chart.tsx"
import { mark } from "./Moment.ts"

/** `stack`: bars, those of a step on top of each other. `lines`: each for itself. */
export type Kind = "stack" | "lines"

/** The least that the highest mark of the axis stands for: a single attempt is no wall. */
const HIGHEST_MIN = { stack: 5, lines: 20 } as const satisfies Record<Kind, number>
/** The axis of attempts has no halves. */
const WHOLE = [1, 2, 5]
  .flatMap((n) => Array.from({ length: 9 }, (_, power) => n * 10 ** power))
  .toSorted((l, r) => l - r)
const FONT = "ui-sans-serif, system-ui, sans-serif"
const FONT_SIZE = 12

/** How much larger the page is than usual, as on the widest screens: what is drawn is in pixels, and grows with it. */
export const scale = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
const X_AXIS = 28
const Y_AXIS = 52
/** Pixels around it all: the highest mark and the last time are not cut. */
const PADDING: uPlot.Padding = [8, 20, 0, 0]

/** What is drawn is drawn behind what follows: of a stack the whole first, then all but its top, and so on. */
export const rowsOf = ({
  kind,
  times,
  step,
  lines,
}: {
  readonly kind: Kind
  readonly times: ReadonlyArray<number>
  readonly step: number
  readonly lines: ReadonlyArray<Line>
}): uPlot.AlignedData => {
  const middles = times.map((at) => at + step / 2)
  if (kind === "lines") return [middles, ...lines.map(({ values }) => [...values])]
  const upTo = (nth: number) =>
    times.map((_, index) => lines.slice(0, nth + 1).reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  return [middles, ...lines.map((_, nth) => upTo(lines.length - 1 - nth))]
}

interface Wanted {
  readonly kind: Kind
  readonly step: number
  readonly lines: ReadonlyArray<Line>
  readonly format: (value: number) => string
  readonly palette: Colors
  readonly size: { readonly width: number; readonly height: number }
  readonly point: (drawing: uPlot) => void
}

const bars = (color: string): uPlot.Series => ({
  fill: color,
  width: 0,
  points: { show: false },
  ...(uPlot.paths.bars === undefined ? {} : { paths: uPlot.paths.bars({ size: [0.8, 40] }) }),
})

/** The steps of a line without any beside them, of which a line alone shows nothing. */
const isolated = ({ data }: uPlot, nth: number): Array<number> => {
  const values = data[nth] ?? []
  const isThere = (index: number) => values[index] != null
  return [...values.keys()].filter((index) => isThere(index) && !isThere(index - 1) && !isThere(index + 1))
}

const line = (color: string): uPlot.Series => ({
  stroke: color,
  width: 2,
  points: { show: false, size: 6, fill: color, filter: isolated },
})

const axesOf = ({ kind, format, palette: { text, grid } }: Wanted): Array<uPlot.Axis> => {
  const by = scale()
  const common = { stroke: text, font: `${FONT_SIZE * by}px ${FONT}`, ticks: { show: false } }
  return [
    {
      ...common,
      grid: { show: false },
      values: (_, splits, __, ___, apart) => splits.map((at) => mark(at, apart)),
      space: 64 * by,
      size: X_AXIS * by,
    },
    {
      ...common,
      grid: { stroke: grid, width: 1 },
      size: Y_AXIS * by,
      values: (_, splits) => splits.map(format),
      ...(kind === "stack" ? { incrs: WHOLE } : {}),
    },
  ]
}

export const optionsOf = (wanted: Wanted): uPlot.Options => {
  const { kind, step, lines, palette, size, point } = wanted
  const series =
    kind === "stack"
      ? lines.toReversed().map(({ color }) => bars(palette[color]))
      : lines.map(({ color }) => line(palette[color]))
  return {
    ...size,
    padding: PADDING,
    legend: { show: false },
    cursor: { y: false, points: { show: kind === "lines" }, drag: { x: false, y: false } },
    scales: {
      x: { time: true, range: (_, from, to) => [from - step / 2, to + step / 2] },
      y: { range: (_, __, highest) => [0, Math.max(HIGHEST_MIN[kind], (highest ?? 0) * 1.1)] },
    },
    axes: axesOf(wanted),
    series: [{}, ...series],
    hooks: { setCursor: [point] },
  }
}
