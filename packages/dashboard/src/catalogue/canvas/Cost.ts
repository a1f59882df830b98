/** How much work a canvas is for the browser, told before it is drawn: about a hundred for each tenth of a second. */
import { isJson } from "../../parts/Objects.ts"

/** Above this, it is drawn when somebody asks for it. */
export const ASKED = 1_000
/** Above this, not at all: the page would stand still for seconds. */
export const MOST = 20_000

/** What is drawn apart and then put in its place costs a canvas of its own. */
const APART = 20
/** Characters of text, numbers of a path and characters of a picture that cost as much as a shape. */
const LETTERS = 20
const NUMBERS = 50
const PICTURE = 20_000

const ofText = (key: string, text: string): number =>
  key === "src" || key === "source" ? text.length / PICTURE : text.length / LETTERS

/** The work for a value that stands under a key. */
export const costOf = (value: unknown, key = ""): number => {
  if (typeof value === "string") return ofText(key, value)
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + costOf(item, key), value.length / NUMBERS)
  if (!isJson(value)) return 0
  const isApart = "objects" in value || "clipPath" in value || "shadow" in value || "filters" in value
  return Object.entries(value).reduce((sum, [name, part]) => sum + costOf(part, name), isApart ? APART : 1)
}
