/** Records as a table, or as cards where a table has no room; while they load, outlines of the same size. */
import { Box, Group, Skeleton, Table, VisuallyHidden } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import type { ReactNode } from "react"
import { useSteady } from "./Steady.ts"

export interface Column<A> {
  readonly name: string
  readonly cell: (row: A) => ReactNode
  /** Pixels of the column, so that nothing moves when the rows arrive; the rest is for those without. */
  readonly width?: number
}

interface Props<A> {
  /** What the rows are, for who cannot see the heading above them. */
  readonly label: string
  /** The first column names the row. */
  readonly columns: ReadonlyArray<Column<A>>
  /** Undefined while they load. */
  readonly rows: ReadonlyArray<A> | undefined
  readonly id: (row: A) => string
  /** What can be done with a row. */
  readonly actions?: ((row: A) => ReactNode) | undefined
  /** As many outlines as rows are expected. */
  readonly expected?: number
  /** Whether the first column has two lines. */
  readonly tall?: boolean
  /** Whether rows come by themselves: none does under a pointer that moves. Default: they come with what somebody does. */
  readonly live?: boolean
}

type Drawn<A> = Omit<Props<A>, "rows" | "expected" | "tall" | "live"> & {
  readonly rows: ReadonlyArray<A | null>
  readonly loading: boolean
}

/** A table can be wider than its place, so that the arrow keys move it; outlines may be gone in a moment, and take no focus. */
const region = (label: string, loading: boolean) =>
  loading ? {} : { tabIndex: 0, role: "region", "aria-label": label }

const cell = <A,>({ cell }: Column<A>, row: A | null): ReactNode =>
  row === null ? <Skeleton h={14} my={4} w="70%" radius="sm" /> : cell(row)

const AsTable = <A,>({ label, columns, rows, loading, id, actions }: Drawn<A>) => (
  <Table.ScrollContainer minWidth={720} type="native" {...region(label, loading)}>
    <Table aria-label={label} highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ name, width }) => (
            <Table.Th key={name} scope="col" {...(width === undefined ? {} : { w: width })}>
              {name}
            </Table.Th>
          ))}
          {actions !== undefined && (
            <Table.Th scope="col" w={56}>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row, index) => (
          <Table.Tr key={row === null ? index : id(row)}>
            {columns.map((column) => (
              <Table.Td key={column.name}>{cell(column, row)}</Table.Td>
            ))}
            {actions !== undefined && <Table.Td ta="right">{row !== null && actions(row)}</Table.Td>}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)

const AsCards = <A,>({ label, columns: [first, ...others], rows, id, actions }: Drawn<A>) => (
  <ul className="cards" aria-label={label}>
    {rows.map((row, index) => (
      <Box component="li" key={row === null ? index : id(row)} p="md">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Box miw={0} flex={1}>
            {first !== undefined && cell(first, row)}
          </Box>
          {row !== null && actions?.(row)}
        </Group>
        <dl>
          {others.map((column) => (
            <Box key={column.name} className="pair">
              <dt>{column.name}</dt>
              <dd>{cell(column, row)}</dd>
            </Box>
          ))}
        </dl>
      </Box>
    ))}
  </ul>
)

export const Rows = <A,>({ rows: latest, expected = 3, tall = false, live = false, ...props }: Props<A>) => {
  const narrow = useMediaQuery("(max-width: 47.99em)", undefined, { getInitialValueInEffect: false })
  const steady = useSteady(latest, props.id)
  const rows = live ? steady.rows : latest
  const loading = rows === undefined
  const drawn = { ...props, loading, rows: rows ?? Array.from({ length: expected }, () => null) }
  return (
    <div
      className={tall ? "panel tall" : "panel"}
      aria-busy={loading}
      {...(live ? { onPointerMove: steady.onPointerMove } : {})}
    >
      {narrow ? <AsCards {...drawn} /> : <AsTable {...drawn} />}
    </div>
  )
}
