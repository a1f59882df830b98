/**
 * A canvas as it may be drawn: customers write what is in it. Nothing of it is loaded from anywhere, takes the place of Fabric's
 * own methods, or is larger than a number can sensibly be.
 */
import { isPicture } from "./Pictures.ts"
import { isJson, type Json } from "../../parts/Objects.ts"
import type { Canvas } from "./Surfaces.ts"

export interface Cleaned {
  readonly canvas: Canvas
  /** Pictures that are left out, a grey field in the place of each. */
  readonly missing: number
  /** Objects that are of no kind that Fabric knows. */
  readonly unknown: number
}

/** What Fabric knows of a type that somebody has written. */
export interface Types {
  readonly has: (type: unknown) => boolean
  readonly isMethod: (type: unknown, name: string) => boolean
}

const none: ReadonlySet<string> = new Set()

const LARGEST = 1e7
const BLUR_MOST = 500
/** What the page may say of a canvas; all else in it is about the program that made it. */
const parts = ["background", "backgroundImage", "overlay", "overlayImage", "clipPath"]
/** Where one shape stands, and nothing else may. */
const shapes = new Set(["backgroundImage", "overlayImage", "clipPath"])
/** Where shapes stand; a path may be a list of commands, too. */
const places = new Set([...shapes, "objects", "path"])
/** What Fabric keeps for itself. */
const own = new Set(["canvas", "group", "parent", "controls", "constructor", "prototype"])
/** The colour of what is missing. */
const MISSING = "#c9ced6"

const number = (key: string, value: number): number => {
  const most = key === "blur" ? BLUR_MOST : LARGEST
  return Math.min(most, Math.max(-most, value))
}

/** What says where a shape is and how large. */
const geometry = "left top width height scaleX scaleY angle skewX skewY originX originY opacity visible".split(" ")

const isOf = (type: string, { type: said }: Json): boolean => typeof said === "string" && said.toLowerCase() === type

/** A grey field of the same size in the same place. */
const placeholder = (picture: Json): Json => ({
  ...Object.fromEntries(geometry.filter((name) => name in picture).map((name) => [name, picture[name]])),
  fill: MISSING,
  stroke: "#8a92a1",
  strokeWidth: 2,
  strokeUniform: true,
})

/** Before version 7, a shape that says nothing else is held by its upper left corner. */
const isOld = ({ version }: Json): boolean => !(Number.parseInt(String(version), 10) >= 7)

/** `refused` has the pictures that are not to be drawn though the canvas carries them. */
export const clean = (canvas: Canvas, types: Types, refused = none): Cleaned => {
  const corner = isOld(canvas) ? { originX: "left", originY: "top" } : {}
  let missing = 0
  let unknown = 0

  const isMissing = (source: unknown): boolean => !isPicture(source) || refused.has(source)

  /** What Fabric would fail on, or take as it is and fail on later. */
  const isShape = (value: unknown): boolean => {
    const known = isJson(value) && types.has(value["type"])
    if (!known) unknown++
    return known
  }

  const object = (given: Json, key: string): unknown => {
    if (isOf("pattern", given) && isMissing(given["source"])) return (missing++, MISSING)
    const isGone = isOf("image", given) && isMissing(given["src"])
    if (isGone) missing++
    const shape = isGone ? { ...placeholder(given), type: "Rect" } : given
    const entries = Object.entries(shape).filter(
      ([name]) => !name.startsWith("_") && !own.has(name) && !types.isMethod(shape["type"], name),
    )
    const kept = Object.fromEntries(entries.map(([name, value]) => [name, part(value, name)]))
    return places.has(key) ? { ...corner, ...kept } : kept
  }

  const part = (value: unknown, key: string): unknown => {
    if (typeof value === "number") return number(key, value)
    if (Array.isArray(value)) {
      // A filter that blends with another picture would load it.
      const items =
        key === "filters"
          ? value.filter((filter) => isJson(filter) && !("image" in filter))
          : key === "objects"
            ? value.filter(isShape)
            : value
      return items.map((item: unknown) => part(item, key))
    }
    if (!isJson(value)) return shapes.has(key) ? undefined : value
    return (shapes.has(key) || key === "path") && !isShape(value) ? undefined : object(value, key)
  }

  const kept = parts.filter((name) => name in canvas).map((name) => [name, part(canvas[name], name)] as const)
  const objects = canvas.objects.filter(isShape).map((one) => part(one, "objects"))
  return { canvas: { ...Object.fromEntries(kept), objects }, missing, unknown }
}
