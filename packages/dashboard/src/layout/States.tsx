/** What is shown instead of a page: while it loads, when it broke, and where there is none. */
import { Anchor, Button, Center, EmptyState, Loader, Stack } from "@mantine/core"
import { IconMapPinOff } from "@tabler/icons-react"
import { Link, type ErrorComponentProps, useRouter } from "@tanstack/react-router"
import { Problem } from "../parts/Problem.tsx"
import { Page } from "./Page.tsx"

/** Only until the first answers are here: after that, pages show their own outlines. */
export const Waiting = () => (
  <Center component="main" mih="60vh">
    <Loader type="dots" aria-label="Loading" role="status" />
  </Center>
)

export const Broken = ({ error }: ErrorComponentProps) => {
  const router = useRouter()
  return (
    <Center component="main" mih="60vh" p="md">
      <Stack maw={480} w="100%">
        <Page title="This page cannot be shown" />
        <Problem error={error instanceof Error ? error : new Error(String(error))} />
        <Button onClick={() => void router.invalidate()}>Try again</Button>
      </Stack>
    </Center>
  )
}

export const Missing = () => (
  <Center component="main" mih="60vh" p="md">
    <Stack maw={480} align="center">
      <Page title="There is no such page" />
      <EmptyState
        icon={<IconMapPinOff aria-hidden />}
        withIndicatorBackground
        description="The address may be mistyped, or the page has moved."
      />
      <Anchor component={Link} to="/">
        Go to the dashboard
      </Anchor>
    </Stack>
  </Center>
)
