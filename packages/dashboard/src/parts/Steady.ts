/** Rows that come by themselves wait while somebody moves the pointer over those that are there, and is about to press one. */
import { useDebouncedCallback } from "@mantine/hooks"
import { useState } from "react"

/** After so many milliseconds without a movement nobody is about to press anything. */
const RESTING_MS = 1_500

interface Steady<A> {
  /** Those that were there when the movement began, in that order, as they are by now. */
  readonly rows: ReadonlyArray<A> | undefined
  /** For what has the rows in it. */
  readonly onPointerMove: () => void
}

export const useSteady = <A>(rows: ReadonlyArray<A> | undefined, id: (row: A) => string): Steady<A> => {
  const [held, hold] = useState<ReadonlyArray<A> | null>(null)
  const rest = useDebouncedCallback(() => hold(null), RESTING_MS)
  const onPointerMove = () => {
    hold((before) => before ?? rows ?? null)
    rest()
  }
  if (held === null || rows === undefined) return { rows, onPointerMove }
  const now = new Map(rows.map((row) => [id(row), row]))
  return { rows: held.map((row) => now.get(id(row)) ?? row), onPointerMove }
}
