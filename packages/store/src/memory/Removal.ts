/** Removes records with all below them: children first, each telling of its own removal. */
import { Resource } from "@tc/domain"
import * as Relations from "../Relations.ts"
import type { Memory } from "./Memory.ts"

/** Part of a step. Answers what there is to tell. */
export const remove = (
  memory: Memory["Service"],
  resource: Resource.Any,
  row: Resource.AnyRow,
): ReadonlyArray<Resource.Raised> => {
  const told = Relations.children(resource).flatMap(({ resource: child, field }) =>
    [...memory.records(child, row.account_id).values()]
      .filter((below) => (below as unknown as { readonly [column: string]: unknown })[field] === row.id)
      .flatMap((below) => remove(memory, child, below)),
  )
  memory.records(resource, row.account_id).delete(row.id)
  return [...told, ...Resource.raise(resource, "deleted", row)]
}
