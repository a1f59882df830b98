/** A chart over time, drawn by uPlot: with a legend, the values under the pointer or the arrow keys, and a table to be read out. */
import { Group, Text, useComputedColorScheme, VisuallyHidden } from "@mantine/core"
import { useElementSize } from "@mantine/hooks"
import { type KeyboardEvent, useEffect, useRef, useState } from "react"
import uPlot from "uplot"
import type { Colors } from "./Colors.ts"
import { colors } from "./Colors.ts"
import { type Kind, optionsOf, rowsOf, scale } from "./Drawing.ts"
import { span } from "./Moment.ts"

export interface Line {
  readonly name: string
  readonly color: keyof Colors
  /** One for each step; null where there is none. */
  readonly values: ReadonlyArray<number | null>
}

interface Props {
  readonly title: string
  /** What it shows, for who cannot see it. */
  readonly summary: string
  readonly kind: Kind
  /** When the steps begin, in seconds since 1970, and how many seconds each has. */
  readonly times: ReadonlyArray<number>
  readonly step: number
  readonly lines: ReadonlyArray<Line>
  readonly format: (value: number) => string
}

/** A step that is pointed at, and how many pixels from the left. */
interface Pointed {
  readonly index: number
  readonly left: number
}

const HEIGHT = 220

/** Keeps a drawing of the lines in an element, and tells which step is pointed at. */
const useDrawing = (props: Props, width: number) => {
  const scheme = useComputedColorScheme()
  const target = useRef<HTMLDivElement>(null)
  const drawing = useRef<uPlot | null>(null)
  const [pointed, setPointed] = useState<Pointed | null>(null)
  const latest = useRef(props)
  const isThere = width > 0
  useEffect(() => {
    latest.current = props
    drawing.current?.setData(rowsOf(props))
  }, [props])
  useEffect(() => {
    if (!isThere || target.current === null) return
    const { kind, lines, step, format } = latest.current
    const palette = colors[scheme]
    const point = ({ cursor: { idx, left = -1 } }: uPlot) =>
      setPointed(idx == null || left < 0 ? null : { index: idx, left })
    const size = { width: target.current.clientWidth, height: HEIGHT * scale() }
    const options = optionsOf({ kind, lines, step, format, palette, size, point })
    const drawn = new uPlot(options, rowsOf(latest.current), target.current)
    drawing.current = drawn
    return () => {
      drawing.current = null
      drawn.destroy()
    }
  }, [scheme, isThere])
  useEffect(() => drawing.current?.setSize({ width, height: HEIGHT * scale() }), [width])
  return { target, drawing, pointed, palette: colors[scheme] }
}

const Values = ({ props, index, palette }: { props: Props; index: number; palette: Colors }) => (
  <>
    <Text size="xs" fw={500}>
      {span(props.times[index] ?? 0, props.step)}
    </Text>
    {props.lines.map(({ name, color, values }) => (
      <Text key={name} size="xs" className="key">
        <i style={{ background: palette[color] }} />
        {name}
        <b>{values[index] == null ? "–" : props.format(values[index])}</b>
      </Text>
    ))}
  </>
)

/** The steps in which there is anything, newest last. */
const Spoken = ({ title, times, step, lines, format }: Props) => (
  <VisuallyHidden>
    <table>
      <caption>{title}, where there was anything</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          {lines.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {times.map((at, index) =>
          lines.some(({ values }) => (values[index] ?? 0) > 0) ? (
            <tr key={at}>
              <th scope="row">{span(at, step)}</th>
              {lines.map(({ name, values }) => (
                <td key={name}>{values[index] == null ? "–" : format(values[index])}</td>
              ))}
            </tr>
          ) : null,
        )}
      </tbody>
    </table>
  </VisuallyHidden>
)

export const Chart = (props: Props) => {
  const { title, summary, times, lines } = props
  const { ref, width } = useElementSize()
  const { target, drawing, pointed, palette } = useDrawing(props, width)
  const move = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    const drawn = drawing.current
    if (by === undefined || drawn === null) return
    event.preventDefault()
    const index = Math.max(0, Math.min(times.length - 1, (pointed?.index ?? times.length) + by))
    drawn.setCursor({ left: drawn.valToPos(drawn.data[0][index] ?? 0, "x"), top: 0 })
  }
  const side = pointed !== null && pointed.left > width / 2 ? "left" : "right"
  return (
    <figure className="panel chart">
      <Group component="figcaption" justify="space-between" gap="xs" mb="sm">
        <Text component="span" fw={600} size="sm">
          {title}
        </Text>
        <Group component="span" gap="md">
          {lines.map(({ name, color }) => (
            <Text key={name} component="span" size="xs" c="dimmed" className="key">
              <i style={{ background: palette[color] }} />
              {name}
            </Text>
          ))}
        </Group>
      </Group>
      <div className="plot" ref={ref}>
        {/* Who has no mouse goes from step to step with the arrow keys. */}
        {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
        <div
          ref={target}
          role="img"
          aria-label={`${title}: ${summary}`}
          tabIndex={0}
          onKeyDown={move}
          onBlur={() => drawing.current?.setCursor({ left: -10, top: -10 })}
        />
        {/* oxlint-enable */}
        {pointed !== null && (
          <div className="values" data-side={side} style={{ left: pointed.left }} aria-hidden>
            <Values props={props} index={pointed.index} palette={palette} />
          </div>
        )}
      </div>
      <Spoken {...props} />
    </figure>
  )
}
