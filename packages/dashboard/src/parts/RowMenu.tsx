/** What can be done with the thing in a row of a table. */
import { ActionIcon, Menu } from "@mantine/core"
import { IconDots } from "@tabler/icons-react"
import type { ReactNode } from "react"

interface Props {
  /** What the thing is called. */
  readonly of: string
  readonly width?: number
  /** Items of a menu. */
  readonly children: ReactNode
}

export const RowMenu = ({ of, width, children }: Props) => (
  <Menu position="bottom-end" shadow="md" {...(width === undefined ? {} : { width })}>
    <Menu.Target>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Actions for ${of}`}>
        <IconDots size={18} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
)
