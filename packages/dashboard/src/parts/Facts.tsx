/** What there is to say of one thing, each with its name. */
import { Skeleton } from "@mantine/core"
import type { ReactNode } from "react"

export interface Fact {
  readonly name: string
  readonly value: ReactNode
}

/** Undefined while it loads. */
export const Facts = ({ facts, expected }: { facts: ReadonlyArray<Fact> | undefined; expected: number }) =>
  facts === undefined ? (
    <Skeleton h={expected} radius="lg" />
  ) : (
    <dl className="panel facts">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
