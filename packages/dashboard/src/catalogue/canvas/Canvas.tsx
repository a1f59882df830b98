/** What a design or template looks like: a picture for each print area. */
import { Text } from "@mantine/core"
import { useMemo } from "react"
import type { Json as Data } from "../../parts/Objects.ts"
import { Note, Section } from "../../parts/Section.tsx"
import { sizeOf } from "../PrintAreas.tsx"
import type { Summary } from "../Records.ts"
import { Sheet } from "./Sheet.tsx"
import { frameOf, type Surface, surfacesOf } from "./Surfaces.ts"
import "./canvas.css"

type Area = Summary<"print_areas">

/** Pictures at most: somebody may have written thousands of names into the data. */
const MOST = 12

interface Props {
  readonly canvas_data: Data
  /** Those of the product, in their order; undefined while they load, null where there is no product. */
  readonly areas: ReadonlyArray<Area> | null | undefined
}

const Named = ({ surface: { key, canvas }, area }: { surface: Surface; area: Area | undefined }) => {
  const name = area?.name ?? key ?? "Canvas"
  const frame = useMemo(
    () => (area === undefined ? frameOf(canvas) : { left: 0, top: 0, width: area.width_px, height: area.height_px }),
    [area, canvas],
  )
  return (
    <figure>
      {key !== null && (
        <figcaption>
          <Text fw={500} component="span" className="name">
            {name}
          </Text>{" "}
          <Text size="sm" c="dimmed" component="span">
            {area !== undefined && sizeOf(area)}
          </Text>
        </figcaption>
      )}
      <Sheet name={name} canvas={canvas} area={frame} />
    </figure>
  )
}

/** Why there is no picture, or what there is beside those that are shown. */
const said = (canvas_data: Data, found: number): string | null => {
  if (found > MOST) return `These are the first ${MOST} of ${found} canvases. The JSON below has all of them.`
  if (found > 0) return null
  return Object.keys(canvas_data).length === 0
    ? "Nothing has been drawn yet."
    : "This is no canvas of Fabric.js, so that there is no picture of it."
}

export const Canvas = ({ canvas_data, areas }: Props) => {
  const surfaces = useMemo(() => surfacesOf(canvas_data), [canvas_data])
  const found = new Map(surfaces.map((surface) => [surface.key, surface]))
  const known = new Map<string | null, Area>((areas ?? []).map((area) => [area.id, area]))
  // In the order of the print areas; what is for none of them comes after.
  const ordered = [
    ...[...known.keys()].flatMap((key) => found.get(key) ?? []),
    ...surfaces.filter(({ key }) => !known.has(key)),
  ]
  const empty = surfaces[0]?.key === null ? [] : [...known.values()].filter(({ id }) => !found.has(id))
  const foreign = surfaces.flatMap(({ key }) => (key === null || known.has(key) ? [] : [key]))
  const words = said(canvas_data, surfaces.length)
  return (
    <Section title="Canvas">
      {areas !== undefined && surfaces.length > 0 && (
        <div className="sheets">
          {ordered.slice(0, MOST).map((surface) => (
            <Named key={surface.key} surface={surface} area={known.get(surface.key)} />
          ))}
        </div>
      )}
      {words !== null && <Note>{words}</Note>}
      {surfaces.length > 0 && empty.length > 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          Nothing is drawn on {empty.map(({ name }) => name).join(", ")}
          {foreign.length > 0 && ": a canvas belongs to the print area whose id is its key in the data"}.
        </Text>
      )}
      {words === null && (
        <Text size="xs" c="dimmed" mt="sm">
          Drawn with Fabric.js as the data says; text in the fonts of this device.
        </Text>
      )}
    </Section>
  )
}
