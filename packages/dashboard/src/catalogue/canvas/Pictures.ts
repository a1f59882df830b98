/** The pictures that a canvas carries in itself, and how large they are: few bytes can make very many pixels. */

/** Pixels of a picture at most, and of all that one canvas has. */
const PIXELS = 32_000_000
const PIXELS_ALL = 4 * PIXELS

const PICTURE = /^data:image\//iu

/** Whether a text is a picture; anything else would have to be loaded from somewhere. */
export const isPicture = (source: unknown): source is string => typeof source === "string" && PICTURE.test(source)

const sourcesOf = (value: unknown): ReadonlyArray<string> => {
  if (isPicture(value)) return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(sourcesOf) : []
}

/** A browser reads the size of a picture first, and makes pixels of it when it is drawn. What it cannot read is never drawn. */
const pixelsOf = (source: string): Promise<number> =>
  new Promise((resolve) => {
    const image = new Image()
    image.addEventListener("load", () => resolve(image.naturalWidth * image.naturalHeight))
    image.addEventListener("error", () => resolve(Infinity))
    image.src = source
  })

/** Those of the pictures anywhere in a canvas that are not to be drawn: too large, too many, or no pictures. */
export const refused = async (canvas: object): Promise<ReadonlySet<string>> => {
  const sources = [...new Set(sourcesOf(canvas))]
  const sizes = await Promise.all(sources.map(pixelsOf))
  let left = PIXELS_ALL
  const isRefused = (_: string, nth: number): boolean => {
    const pixels = sizes[nth] ?? 0
    if (pixels > Math.min(PIXELS, left)) return true
    left -= pixels
    return false
  }
  return new Set(sources.filter(isRefused))
}
