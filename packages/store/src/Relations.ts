/** How records hang together, read off the resources' references; both storages follow these. */
import type { Resource } from "@tc/domain"
import { resources } from "./Repositories.ts"

/** A resource whose records lie below another's, and the field that says below which. */
export interface Child {
  readonly resource: Resource.Any
  readonly field: string
}

/** What is removed with a record of `resource`, one level down. */
export const children = (resource: Resource.Any): ReadonlyArray<Child> =>
  resources.flatMap((candidate) =>
    Object.entries(candidate.references ?? {})
      .filter(([, reference]) => reference.to === resource.path)
      .map(([field]) => ({ resource: candidate, field })),
  )

/** The references that take columns over from the record they lead to. */
export const copying = (resource: Resource.Any) =>
  Object.entries(resource.references ?? {}).flatMap(([field, { to, name, copies = [] }]) =>
    copies.length === 0 ? [] : [{ field, to, name, copies }],
  )

/** A change with the columns that were taken over: in its row, and in what it tells of that row. */
export const adopt = <Row extends Resource.AnyRow>(
  change: Resource.Change<Row>,
  taken: object,
): Resource.Change<Row> => ({
  row: { ...change.row, ...taken },
  events: change.events.map(({ event, data }) => ({
    event,
    data: data["id"] === change.row.id ? { ...data, ...taken } : data,
  })),
})
