/** Reports as people read them: lines of the table on the terminal, and the page in docs. */
import type { Conditions } from "./Conditions.ts"
import * as Figure from "./Figure.ts"
import * as Report from "./Report.ts"

const said = { true: "yes", false: "NO", null: "" } as const

const cells = (figure: Report.Figure): ReadonlyArray<string> => {
  const { name, project, reference } = figure
  const goal = Report.goal(figure)
  const reached = said[`${Report.reached(figure)}`]
  return [name, Figure.digits(reference), Figure.digits(project), Figure.digits(Report.ratio(figure)), goal, reached]
}

const peerCells = ({ name, per_second }: Report.Peer): ReadonlyArray<string> => {
  if (per_second === null) return [name, "not measured"]
  const { project, reference } = per_second
  const ratio = project / reference
  return [name, ...[reference, project, ratio].map(Figure.digits), "> 1", said[`${ratio > 1}`]]
}

const rowsOf = ({ figures, peers }: Report.Report) => [...figures.map(cells), ...peers.map(peerCells)]

/** What is wrong with the ledgers, a line for each contender whose does not balance. */
const faults = ({ ledgers }: Report.Report): ReadonlyArray<string> =>
  Object.entries(ledgers)
    .filter(([, { balanced }]) => !balanced)
    .map(([name, { problems }]) => `VOID: the ledger of ${name} does not balance: ${problems.join(", ")}`)

/** A report as lines of the table that `Figure.head` begins. */
export const lines = (report: Report.Report): ReadonlyArray<string> => [
  ...rowsOf(report).map(([name = "", ...rest]) => Figure.row([`${report.scenario}: ${name}`, ...rest])),
  ...faults(report),
]

const markdownRow = (row: ReadonlyArray<string>) => `| ${row.join(" | ")} |`

const ledgerRow = (report: Report.Report) => {
  const rows = Object.entries(report.ledgers).map(([name, entries]) => {
    const { accepted, delivered, pending, failed, canceled, received, duplicates } = entries
    return markdownRow([name, ...[accepted, delivered, pending, failed, canceled, received, duplicates].map(String)])
  })
  const names = ["ledger of", "accepted", "delivered", "pending", "failed", "canceled", "received", "duplicates"]
  return [markdownRow(names), markdownRow(names.map(() => "---")), ...rows]
}

const section = (report: Report.Report): ReadonlyArray<string> => {
  const names = ["figure", "reference", "ours", "ours / reference", "target", "reached"]
  return [
    `## ${report.scenario}`,
    "",
    ...faults(report),
    markdownRow(names),
    markdownRow(names.map(() => "---")),
    ...rowsOf(report).map((row) => markdownRow(names.map((_, column) => row[column] ?? ""))),
    "",
    ...report.peers.map(({ name, note }) => `- ${name}: ${note}`),
    ...(report.peers.length > 0 ? [""] : []),
    ...ledgerRow(report),
    "",
    `Run: \`${JSON.stringify(report.spec)}\``,
    "",
  ]
}

/** The page of all figures. `others` are lines of the table of the other parts. */
export const page = (
  reports: ReadonlyArray<Report.Report>,
  others: ReadonlyArray<string>,
  conditions: Conditions,
): string => {
  const { date, processor, cores, memory_gib, system, load, versions } = conditions
  return [
    "# Benchmarks",
    "",
    "Written by `npm run bench`; `npm run bench -- SCENARIO` measures one again. Every figure stands beside its reference, measured",
    "in the same run in turns with ours: only ratios carry over to another machine. The reference is the floor, a pipeline written",
    "by hand that does the least a durable one must (`packages/bench/src/Floor.ts`), unless the target says `without`: then it is",
    "our own engine without what the scenario adds. Latencies count from the time at which an event was to be sent, whatever",
    "became of those before it. A run whose ledger does not balance is void.",
    "",
    `Measured on ${date.slice(0, 10)}: ${processor}, ${cores} cores, ${memory_gib} GiB, ${system}, load ${load}; ` +
      `${Object.entries(versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(", ")}.`,
    "",
    ...reports.flatMap(section),
    "## HTTP, lists and verification",
    "",
    "```",
    Figure.head(),
    ...others,
    "```",
    "",
  ].join("\n")
}
