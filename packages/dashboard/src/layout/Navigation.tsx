/** Where to go, the account, and at the bottom who is signed in. */
import { Box, Group, NavLink, Stack, Text } from "@mantine/core"
import {
  IconBook,
  IconBuildingStore,
  IconChartBar,
  IconCrop,
  IconExternalLink,
  IconHistory,
  IconKey,
  IconPalette,
  IconPhotoStar,
  IconSend,
  IconShirt,
  IconTemplate,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react"
import { Link, useLocation } from "@tanstack/react-router"
import { useSession } from "../session/Session.ts"
import { Logo } from "./Logo.tsx"
import { Profile } from "./Profile.tsx"

/** Groups of pages, in the order in which they are shown. */
const groups = [
  { name: null, pages: [{ to: "/overview", label: "Overview", icon: IconChartBar }] },
  { name: "Build", pages: [{ to: "/api-keys", label: "API keys", icon: IconKey }] },
  {
    name: "Webhooks",
    pages: [
      { to: "/webhook-endpoints", label: "Webhook endpoints", icon: IconWebhook },
      { to: "/deliveries", label: "Deliveries", icon: IconSend },
    ],
  },
  {
    name: "Catalogue",
    pages: [
      { to: "/catalogue/stores", label: "Stores", icon: IconBuildingStore },
      { to: "/catalogue/products", label: "Products", icon: IconShirt },
      { to: "/catalogue/print_areas", label: "Print areas", icon: IconCrop },
      { to: "/catalogue/templates", label: "Templates", icon: IconTemplate },
      { to: "/catalogue/designs", label: "Designs", icon: IconPalette },
      { to: "/catalogue/assets", label: "Assets", icon: IconPhotoStar },
    ],
  },
  {
    name: "Account",
    pages: [
      { to: "/members", label: "Members", icon: IconUsers },
      { to: "/audit-log", label: "Audit log", icon: IconHistory },
    ],
  },
] as const

const Reference = () => (
  <NavLink
    component="a"
    href="/docs"
    target="_blank"
    label="API reference"
    leftSection={<IconBook size={18} stroke={1.75} aria-hidden />}
    rightSection={<IconExternalLink size={14} stroke={1.75} aria-label="(opens in a new tab)" />}
  />
)

/** Whether a page is the one that is open, or the list of what is. */
const isIn = (to: string, pathname: string): boolean => pathname === to || pathname.startsWith(`${to}/`)

export const Navigation = () => {
  const { account } = useSession()
  const { pathname } = useLocation()
  return (
    <>
      <Group gap="sm" wrap="nowrap" px="xs" mb="md">
        <Logo size={32} />
        <Box miw={0}>
          <Text fw={600} lh={1.2} truncate title={account.name}>
            {account.name}
          </Text>
          <Text size="xs" c="dimmed">
            Account
          </Text>
        </Box>
      </Group>
      <Box component="nav" aria-label="Main" flex={1}>
        <Stack gap="sm">
          {groups.map(({ name, pages }) => (
            <Box key={name}>
              {name !== null && (
                <Text size="xs" fw={500} c="dimmed" px="xs" mb={4} id={`group-${name}`}>
                  {name}
                </Text>
              )}
              <ul className="links" {...(name === null ? {} : { "aria-labelledby": `group-${name}` })}>
                {pages.map(({ to, label, icon: Icon }) => (
                  <li key={to}>
                    <NavLink
                      component={Link}
                      to={to}
                      label={label}
                      active={isIn(to, pathname)}
                      aria-current={isIn(to, pathname) ? "page" : undefined}
                      leftSection={<Icon size={18} stroke={1.75} aria-hidden />}
                    />
                  </li>
                ))}
                {name === "Build" && (
                  <li>
                    <Reference />
                  </li>
                )}
              </ul>
            </Box>
          ))}
        </Stack>
      </Box>
      <Profile />
    </>
  )
}
