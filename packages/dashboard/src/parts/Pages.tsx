/** Where a page lies in its list, and the way to the others. */
import type { Page } from "@tc/domain"
import { Group, Pagination, Text } from "@mantine/core"
import { useEffect } from "react"
import { digits } from "./Count.ts"

interface Props {
  /** Undefined while the list loads. */
  readonly meta: Page.Page<unknown>["meta"] | undefined
  /** Whether the new address takes the place of the one before, to which nobody wants to go back. */
  readonly onPage: (page: number, replace: boolean) => void
  /** Whether the list grows by itself, which is not to be announced each time. */
  readonly quiet?: boolean
}

export const Pages = ({ meta, onPage, quiet = false }: Props) => {
  const beyond = meta !== undefined && meta.total > 0 && meta.page > meta.total_pages
  // The list has become shorter, or the address names a page that there never was.
  useEffect(() => {
    if (beyond) onPage(meta.total_pages, true)
  }, [beyond, meta, onPage])
  if (meta === undefined || meta.total === 0 || beyond) return null
  const from = (meta.page - 1) * meta.per_page + 1
  return (
    <Group justify="space-between" mt="md">
      <Text size="sm" c="dimmed" {...(quiet ? {} : { role: "status" })}>
        {digits(from)}–{digits(Math.min(from + meta.per_page - 1, meta.total))} of {digits(meta.total)}
      </Text>
      {meta.total_pages > 1 && (
        <Pagination
          total={meta.total_pages}
          value={meta.page}
          onChange={(page) => onPage(page, false)}
          size="sm"
          aria-label="Pages"
          getItemProps={(page) => ({ "aria-label": `Page ${page}` })}
          getControlProps={(control) => ({ "aria-label": control === "next" ? "Next page" : "Previous page" })}
        />
      )}
    </Group>
  )
}
