/** Who did what, a page at a time. */
import type { AuditEntry, Page } from "@tc/domain"
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { get } from "../Api.ts"
import type { AuditSearch } from "./Search.ts"

export const PER_PAGE = 25

/** The page before stays while the next one is on its way. */
export const audit = ({ page = 1, action, member_id }: AuditSearch) =>
  queryOptions({
    queryKey: ["audit", page, action, member_id],
    queryFn: ({ signal }) =>
      get<Page.Page<AuditEntry.AuditEntry>>("/audit", { page, per_page: PER_PAGE, action, member_id }, signal),
    placeholderData: keepPreviousData,
  })
