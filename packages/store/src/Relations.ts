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

/**
 * A change of the row `before` with what no decision decides: which record it is, and the columns that were taken over. In
 * its row, and in what it tells of that row.
 */
export const adopt = <Row extends Resource.AnyRow>(
  change: Resource.Change<Row>,
  { account_id, id, created_at }: Row,
  taken: object,
): Resource.Change<Row> => {
  const kept = { account_id, id, created_at, ...taken }
  return {
    row: { ...change.row, ...kept },
    events: change.events.map(({ event, data }) => ({
      event,
      data: data["id"] === change.row.id ? { ...data, ...kept } : data,
    })),
  }
}
