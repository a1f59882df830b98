/** A canvas as somebody would make it who means harm. */
import { crc32, deflateSync } from "node:zlib"

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type), data])
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))])
}

/** A black square as PNG, with one bit for each pixel: about a byte for a thousand of them. */
const png = (side: number): Buffer => {
  const rows = Buffer.alloc(side * (1 + Math.ceil(side / 8)))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", Buffer.concat([uint32(side), uint32(side), Buffer.from([1, 0, 0, 0, 0])])),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ])
}

/** Its objects: with a script wherever a text may stand, a picture of another host, and what is no object at all. The third is harmless. */
export const hostile = (script: string, away: string): ReadonlyArray<unknown> => {
  const bomb = `data:image/png;base64,${png(30_000).toString("base64")}`
  return [
    { type: "Image", left: 60, top: 200, width: 50, height: 50, src: bomb },
    { type: "Rect", left: 60, top: 270, width: 50, height: 50, fill: { type: "pattern", source: bomb } },
    { type: "Rect", left: 150, top: 200, width: 200, height: 100, fill: "#0000ff", strokeWidth: 0 },
    { type: "Image", left: 60, top: 60, width: 50, height: 50, src: away },
    { type: "Image", left: 60, top: 340, width: 50, height: 50, src: "javascript:alert(1)" },
    { type: "Image", left: 240, top: 60, src: "data:image/png;base64,AAAA" },
    { type: "Rect", left: 240, top: 340, width: 50, height: 50, fill: { type: "pattern", source: away } },
    { type: "Group", objects: [{ type: "Image", src: away, width: 5, height: 5 }], clipPath: { type: "Nonsense" } },
    { type: "Textbox", left: 150, top: 100, text: script, fontFamily: `x"; background: url(${away})`, fontSize: 12 },
    { type: "Rect", left: 1e9, top: -1e9, width: 1e9, height: 1e9, scaleX: 1e9, shadow: { blur: 1e9 } },
    { type: "Circle", radius: {}, _render: "no", render: 1, toString: "no", canvas: {}, clipPath: 7 },
    { type: "Path", path: script },
    { type: "Polygon", points: "none" },
    { type: script },
    null,
    7,
  ]
}
