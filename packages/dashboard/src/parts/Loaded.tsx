/** What is drawn of a query, or that it could not be loaded: then it can be asked again. */
import type { UseQueryResult } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { isMissing } from "../Api.ts"
import { Problem } from "./Problem.tsx"

interface Props {
  readonly query: Pick<UseQueryResult, "data" | "error" | "errorUpdateCount" | "refetch">
  /** What it loads, as a sentence has it: `keys`. */
  readonly what: string
  readonly children: ReactNode
}

export const Loaded = ({ query: { data, error, errorUpdateCount, refetch }, what, children }: Props) => {
  // A query that is asked again has no error until the answer: what was told stays, and the button that has the focus.
  const [last, setLast] = useState(error)
  if (error !== null && error !== last) setLast(error)
  return data === undefined && errorUpdateCount > 0 && last !== null ? (
    <Problem
      title={`The ${what} could not be loaded`}
      error={last}
      {...(isMissing(last) ? {} : { retry: () => void refetch() })}
    />
  ) : (
    children
  )
}
