/** What has been drawn. */
import type { Page } from "playwright-core"

/** As much of a canvas as is looked at: there is no DOM in the types of these tests. */
interface Pixels {
  readonly width: number
  readonly height: number
  readonly getContext: (kind: "2d") => {
    readonly getImageData: (x: number, y: number, width: number, height: number) => { readonly data: Uint8ClampedArray }
  }
}

/** The colours of the first drawing of a page at places that are given as parts of its width and height. */
export const pixels = (page: Page, places: ReadonlyArray<readonly [number, number]>): Promise<ReadonlyArray<string>> =>
  page
    .locator(".sheet canvas")
    .first()
    .evaluate(
      (element, places) =>
        places.map(([x, y]) => {
          const canvas = element as unknown as Pixels
          const { data } = canvas.getContext("2d").getImageData(canvas.width * x, canvas.height * y, 1, 1)
          return data.join(",")
        }),
      places,
    )
