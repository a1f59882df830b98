/** Takes all filters of a list away. It is there without any, too: whoever has pressed it is still on it. */
import { Button } from "@mantine/core"

export const ShowAll = ({ onClick }: { onClick: () => void }) => (
  <Button variant="default" onClick={onClick}>
    Show all
  </Button>
)
