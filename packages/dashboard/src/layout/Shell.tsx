/** The frame of every page that members see: navigation beside it, or behind a button where there is no room. */
import { AppShell, Burger, Container, Group, Text } from "@mantine/core"
import { Notifications } from "@mantine/notifications"
import { useDisclosure, useMediaQuery } from "@mantine/hooks"
import { Outlet, useRouter } from "@tanstack/react-router"
import { Suspense, useEffect } from "react"
import { useSession } from "../session/Session.ts"
import { Behind } from "./Behind.tsx"
import { lazily } from "./Lazily.ts"
import { Navigation } from "./Navigation.tsx"
import { Logo } from "./Logo.tsx"

const HEADER = 56

const Menu = lazily(() => import("./Menu.tsx"), "Menu")

/** Who opens another page is taken to its title, so that the keyboard and screen readers go on from there. */
const useFocusOfPages = (close: () => void): void => {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return
        close()
        document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true })
      }),
    [router, close],
  )
}

export const Shell = () => {
  const [opened, { open, close }] = useDisclosure(false)
  const narrow = useMediaQuery("(max-width: 61.99em)", undefined, { getInitialValueInEffect: false })
  const { account } = useSession()
  useFocusOfPages(close)
  return (
    <>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <AppShell
        {...(narrow ? { header: { height: HEADER } } : { navbar: { width: 248, breakpoint: "xs" as const } })}
        padding={0}
        transitionDuration={0}
      >
        {narrow ? (
          <AppShell.Header className="side">
            <Group h="100%" px="md" gap="sm" wrap="nowrap">
              <Burger
                opened={opened}
                onClick={open}
                size="sm"
                aria-label="Open the navigation"
                aria-haspopup="dialog"
              />
              <Logo />
              <Text fw={600} truncate miw={0} flex={1}>
                {account.name}
              </Text>
            </Group>
          </AppShell.Header>
        ) : (
          <AppShell.Navbar className="side" p="md">
            <Navigation />
          </AppShell.Navbar>
        )}
        <AppShell.Main id="content" tabIndex={-1}>
          <Container size={1120} px={{ base: "md", sm: "xl" }} py={{ base: "lg", sm: 40 }}>
            <Outlet />
          </Container>
        </AppShell.Main>
      </AppShell>
      {narrow && (
        <Suspense>
          <Menu opened={opened} onClose={close} />
        </Suspense>
      )}
      <Behind />
      <Notifications position="bottom-right" limit={3} autoClose={5000} />
    </>
  )
}
