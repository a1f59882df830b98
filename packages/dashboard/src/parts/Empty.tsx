/** What stands in the place of a list that has nothing in it. */
import { EmptyState } from "@mantine/core"
import type { TablerIcon } from "@tabler/icons-react"
import type { ReactNode } from "react"

interface Props {
  readonly icon: TablerIcon
  readonly title: string
  /** Why, and what to do about it. */
  readonly description: string
  readonly children?: ReactNode
}

export const Empty = ({ icon: Icon, ...props }: Props) => (
  <div className="panel">
    <EmptyState p="xl" icon={<Icon aria-hidden />} withIndicatorBackground {...props} />
  </div>
)
