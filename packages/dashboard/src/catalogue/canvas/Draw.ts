/** Draws a canvas with Fabric.js, which comes with this file and nowhere else. */
import { classRegistry, config, StaticCanvas } from "fabric"
import { clean } from "./Clean.ts"
import { refused } from "./Pictures.ts"
import type { Canvas, Frame } from "./Surfaces.ts"

export interface Drawing {
  readonly element: HTMLCanvasElement
  /** Pictures that are not loaded. */
  readonly missing: number
  /** Objects that could not be drawn. */
  readonly failed: number
  readonly dispose: () => void
}

/** Pixels of the drawing at most, either way. */
const MOST = 720

// Each group and each clipped shape keeps a canvas of its own.
config.configure({ perfLimitSizeTotal: MOST * MOST, maxCacheSideLimit: 2 * MOST, enableGLFiltering: false })

const has = (type: unknown): type is string => typeof type === "string" && classRegistry.has(type)

const isMethod = (type: unknown, name: string): boolean => {
  if (!has(type)) return false
  const { prototype } = classRegistry.getClass<{ prototype: object }>(type)
  return typeof Reflect.get(prototype, name) === "function"
}

/** All that is drawn, with a margin; where that is nothing that can be measured, a square. */
const around = (canvas: StaticCanvas): Frame => {
  const boxes = canvas.getObjects().map((object) => object.getBoundingRect())
  const left = Math.min(...boxes.map((box) => box.left))
  const top = Math.min(...boxes.map((box) => box.top))
  const width = Math.max(...boxes.map((box) => box.left + box.width)) - left
  const height = Math.max(...boxes.map((box) => box.top + box.height)) - top
  const margin = Math.max(width, height) / 20
  if (!(width > 0 && height > 0 && Number.isFinite(left + top + margin)))
    return { left: 0, top: 0, width: 1, height: 1 }
  return { left: left - margin, top: top - margin, width: width + 2 * margin, height: height + 2 * margin }
}

/** Renders; what throws is taken away first. Answers how many objects that were. */
const render = (canvas: StaticCanvas): number => {
  try {
    canvas.renderAll()
    return 0
  } catch {
    const context = document.createElement("canvas").getContext("2d")
    const broken = canvas.getObjects().filter((object) => {
      try {
        if (context !== null) object.render(context)
        return false
      } catch {
        return true
      }
    })
    canvas.remove(...broken)
    canvas.renderAll()
    return broken.length
  }
}

/** Loads a canvas; answers how many objects nothing can be made of. */
const load = async (canvas: StaticCanvas, cleaned: Canvas): Promise<number> => {
  let failed = 0
  await canvas.loadFromJSON(cleaned, (_json, _object, error) => {
    if (error !== undefined) failed += 1
  })
  return failed
}

/** Rejects where nothing can be drawn at all. */
export const draw = async (given: Canvas, area: Frame | null): Promise<Drawing> => {
  const element = document.createElement("canvas")
  const canvas = new StaticCanvas(element, { renderOnAddRemove: false })
  try {
    const { canvas: cleaned, missing, unknown } = clean(given, { has, isMethod }, await refused(given))
    const failed = await load(canvas, cleaned)
    const frame = area ?? around(canvas)
    const zoom = Math.min(MOST / frame.width, MOST / frame.height)
    canvas.setDimensions({
      width: Math.max(1, Math.round(frame.width * zoom)),
      height: Math.max(1, Math.round(frame.height * zoom)),
    })
    canvas.setViewportTransform([zoom, 0, 0, zoom, -frame.left * zoom, -frame.top * zoom])
    const broken = render(canvas)
    // The styles of the page say how large it is shown.
    element.removeAttribute("style")
    return {
      element,
      missing,
      failed: unknown + failed + broken,
      dispose: () => void canvas.dispose(),
    }
  } catch (error) {
    void canvas.dispose()
    throw error
  }
}
