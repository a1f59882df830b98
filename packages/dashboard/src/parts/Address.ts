/** What pages read from their address, which anybody may have written. */

/** Whether a value is the name of one of the entries of a table. */
export const isNameIn = <Table extends object>(table: Table, value: unknown): value is keyof Table =>
  // What every object has is no entry.
  typeof value === "string" && Object.hasOwn(table, value)

/** Whether a value is a text that says anything. */
export const isSaid = (value: unknown): value is string => typeof value === "string" && value !== ""

/** Which page of a list is shown, where the address says another than the first. */
export const pageSearch = ({ page }: Record<string, unknown>): { readonly page?: number } =>
  typeof page === "number" && Number.isInteger(page) && page > 1 ? { page } : {}
