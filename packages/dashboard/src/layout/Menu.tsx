/** The navigation where there is no room beside the page: a drawer. What it is made of is loaded only there. */
import { Drawer } from "@mantine/core"
import { Navigation } from "./Navigation.tsx"

export const Menu = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Drawer
    opened={opened}
    onClose={onClose}
    size={288}
    title="Navigation"
    closeButtonProps={{ "aria-label": "Close the navigation" }}
    classNames={{ content: "side", header: "side" }}
    styles={{ body: { height: "calc(100dvh - 60px)", display: "flex", flexDirection: "column" } }}
  >
    <Navigation />
  </Drawer>
)
