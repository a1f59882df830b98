/** The metrics of a server, as they are documented and as it shows them: each with its type and the names of its labels. */
import { readFile } from "node:fs/promises"

const documentation = new URL("../../../../docs/metrics.md", import.meta.url)

/** Added by the format, not by us. */
const OF_FORMAT = new Set(["le"])

/** `name type label label`, in the order of their names. */
export type Lines = ReadonlyArray<string>

/** What the table says. */
export const documented = async (): Promise<Lines> => {
  const rows = (await readFile(documentation, "utf8")).matchAll(/^\| `(\w+)` +\| (\w+) +\| ([^|]*)\|/gm)
  return [...rows]
    .map(([, name = "", type = "", labels = ""]) =>
      line(
        name,
        type,
        [...labels.matchAll(/\w+/g)].map(([label]) => label),
      ),
    )
    .toSorted()
}

/** What a server shows. */
export const shown = (text: string): Lines =>
  [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)]
    .map(([, name = "", type = ""]) => line(name, type, labelsOf(text, name)))
    .toSorted()

const line = (name: string, type: string, labels: ReadonlyArray<string>): string =>
  [name, type, ...labels.toSorted()].join(" ")

const labelsOf = (text: string, name: string): ReadonlyArray<string> => {
  const series = text.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{(.*)\\} \\S+$`, "gm"))
  const labels = [...series].flatMap(([, text = ""]) => [...text.matchAll(/(\w+)="(?:[^"\\\\]|\\\\.)*"/g)])
  return [...new Set(labels.map(([, label = ""]) => label))].filter((label) => !OF_FORMAT.has(label))
}
