/** Who is signed in, and what is theirs: the colours, the password, signing out. */
import {
  Avatar,
  Box,
  Group,
  type MantineColorScheme,
  Menu,
  Text,
  UnstyledButton,
  VisuallyHidden,
  useMantineColorScheme,
} from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconLock, IconLogout, IconSelector } from "@tabler/icons-react"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { Suspense, useState } from "react"
import { remove } from "../Api.ts"
import { useChange } from "../Client.ts"
import { role_names, useSession } from "../session/Session.ts"
import { lazily } from "./Lazily.ts"

const PasswordDialog = lazily(() => import("../session/Password.tsx"), "PasswordDialog")

const schemes = [
  { value: "auto", label: "As the system" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const satisfies ReadonlyArray<{ value: MantineColorScheme; label: string }>

const Scheme = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu.RadioGroup
      value={colorScheme}
      onChange={(value) => setColorScheme(schemes.find((scheme) => scheme.value === value)?.value ?? "auto")}
    >
      <Menu.Label>Colours</Menu.Label>
      {schemes.map(({ value, label }) => (
        <Menu.RadioItem key={value} value={value}>
          {label}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}

/** Signing out ends the session on the server; what was seen is forgotten here as well. */
const useSignOut = () => {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useChange(
    async () => {
      await remove("/session")
      await navigate({ to: "/sign-in" })
      client.clear()
    },
    { stale: [] },
  )
}

export const Profile = () => {
  const { member } = useSession()
  const [changing, { open, close }] = useDisclosure(false)
  // Few ever do: what the dialog takes is loaded for them only, and stays while it fades out.
  const [asked, ask] = useState(false)
  const signOut = useSignOut()
  return (
    <>
      <Menu position="top-start" width={232} shadow="md" withinPortal>
        <Menu.Target>
          <UnstyledButton className="profile">
            <Group gap="sm" wrap="nowrap">
              <Avatar name={member.name} color="accent" radius="xl" size={32} aria-hidden />
              <Box miw={0} flex={1}>
                <Text size="sm" fw={500} lh={1.3} truncate>
                  {member.name}
                </Text>
                <Text size="xs" c="dimmed" lh={1.3}>
                  {role_names[member.role]}
                  <VisuallyHidden>: profile</VisuallyHidden>
                </Text>
              </Box>
              <IconSelector size={16} aria-hidden />
            </Group>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label className="mail">{member.email}</Menu.Label>
          <Menu.Divider />
          <Scheme />
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconLock size={16} aria-hidden />}
            onClick={() => {
              ask(true)
              open()
            }}
          >
            Change password
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate(undefined)}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked && (
        <Suspense>
          <PasswordDialog opened={changing} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
