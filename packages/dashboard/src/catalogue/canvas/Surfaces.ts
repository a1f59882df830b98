/** The canvases in a record's canvas data: one alone, as templates have it, or one for each print area, by its id. */
import { isJson, type Json } from "../../parts/Objects.ts"

/** What Fabric.js can draw: an object with a list of objects. */
export interface Canvas extends Json {
  readonly objects: ReadonlyArray<unknown>
}

export interface Surface {
  /** The id of the print area that it is for, or whatever the program calls it; null where it is the only one. */
  readonly key: string | null
  readonly canvas: Canvas
}

const isCanvas = (value: unknown): value is Canvas => isJson(value) && Array.isArray(value["objects"])

/** The part of a canvas that is shown, in its own pixels. */
export interface Frame {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const isSide = (value: unknown): value is number => typeof value === "number" && value >= 1 && value <= 100_000

/** The size that a canvas says of itself, if that can be one. */
export const frameOf = ({ width, height }: Canvas): Frame | null =>
  isSide(width) && isSide(height) ? { left: 0, top: 0, width, height } : null

/** Of data in another form there are none. */
export const surfacesOf = (canvas_data: Json): ReadonlyArray<Surface> =>
  isCanvas(canvas_data)
    ? [{ key: null, canvas: canvas_data }]
    : Object.entries(canvas_data).flatMap(([key, canvas]) => (isCanvas(canvas) ? [{ key, canvas }] : []))
