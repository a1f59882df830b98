/** What can be done with the thing in a row of a table. */
import { ActionIcon, Menu } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconDots } from "@tabler/icons-react"
import type { ReactNode } from "react"

interface Props {
  /** What the thing is called. */
  readonly of: string
  readonly width?: number
  /** Items of a menu. */
  readonly children: ReactNode
}

export const RowMenu = ({ of, width, children }: Props) => {
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <Menu
      position="bottom-end"
      shadow="md"
      opened={opened}
      onChange={(next) => (next ? open() : close())}
      {...(width === undefined ? {} : { width })}
    >
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Actions for ${of}`}
          // The focus stays here where nothing in the menu can be chosen.
          onKeyDown={({ key }) => key === "Escape" && close()}
        >
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
