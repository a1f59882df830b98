/** What can be done with one endpoint, and the dialogs that do it. */
import { ActionIcon, Button, Group, Menu, Skeleton } from "@mantine/core"
import {
  IconDots,
  IconEye,
  IconHistory,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRotateClockwise,
  IconSend,
  IconTrash,
} from "@tabler/icons-react"
import { useNavigate } from "@tanstack/react-router"
import { Suspense, useState } from "react"
import { lazily } from "../layout/Lazily.ts"
import { Dialog } from "../parts/Dialog.tsx"
import { Disable } from "./Disable.tsx"
import { Edit } from "./Edit.tsx"
import { Enable } from "./Enable.tsx"
import { Recover } from "./Recover.tsx"
import { Remove } from "./Remove.tsx"
import { Reveal } from "./Reveal.tsx"
import { Rotate } from "./Rotate.tsx"
import { type Endpoint, statuses } from "./WebhookEndpoints.ts"

const Test = lazily(() => import("./Test.tsx"), "Test")

const titles = {
  enable: "Enable the webhook endpoint",
  disable: "Disable the webhook endpoint?",
  recover: "Send what the endpoint missed",
  reveal: "The endpoint's signing secret",
  rotate: "Rotate the signing secret",
  test: "Send a test event",
  remove: "Delete the webhook endpoint?",
} as const

/** What a dialog of this page is about. */
export type Act = keyof typeof titles

const items = [
  { act: "reveal", label: "Reveal the secret …", icon: IconEye },
  { act: "rotate", label: "Rotate the secret …", icon: IconRotateClockwise },
] as const

const More = ({ on, onAct }: { on: boolean; onAct: (act: Act) => void }) => (
  <Menu position="bottom-end" shadow="md">
    <Menu.Target>
      <ActionIcon variant="default" size={36} aria-label="More actions">
        <IconDots size={18} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      {items.map(({ act, label, icon: Icon }) => (
        <Menu.Item key={act} leftSection={<Icon size={16} aria-hidden />} onClick={() => onAct(act)}>
          {label}
        </Menu.Item>
      ))}
      {on && (
        <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} onClick={() => onAct("recover")}>
          Send what it missed …
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={on ? <IconPlayerPause size={16} aria-hidden /> : <IconPlayerPlay size={16} aria-hidden />}
        onClick={() => onAct(on ? "disable" : "enable")}
      >
        {on ? "Disable …" : "Enable …"}
      </Menu.Item>
      <Menu.Item className="danger" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => onAct("remove")}>
        Delete …
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
)

interface AboutOne {
  readonly endpoint: Endpoint
  readonly onClose: () => void
}

const Shown = ({ act, ...props }: AboutOne & { act: Act }) => {
  const navigate = useNavigate()
  const forms = {
    enable: () => <Enable {...props} />,
    disable: () => <Disable {...props} />,
    recover: () => <Recover {...props} />,
    reveal: () => <Reveal {...props} />,
    rotate: () => <Rotate {...props} />,
    test: () => (
      <Suspense fallback={<Skeleton h={400} />}>
        <Test {...props} />
      </Suspense>
    ),
    // The page goes before what it shows is asked for again, which is not there any more.
    remove: () => <Remove {...props} onRemoved={() => navigate({ to: "/webhook-endpoints" })} />,
  } as const satisfies Record<Act, () => React.ReactNode>
  return forms[act]()
}

interface Props {
  readonly endpoint: Endpoint
  readonly act: { opened: boolean; subject: Act | null; open: (act: Act) => void; close: () => void }
}

export const Actions = ({ endpoint, act }: Props) => {
  const [editing, setEditing] = useState(false)
  return (
    <>
      <Group gap="xs">
        <Button px="sm" leftSection={<IconSend size={16} aria-hidden />} onClick={() => act.open("test")}>
          Send test event
        </Button>
        <Button
          px="sm"
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden />}
          onClick={() => setEditing(true)}
        >
          Edit
        </Button>
        <More on={statuses[endpoint.status].on} onAct={act.open} />
      </Group>
      <Edit endpoint={endpoint} opened={editing} onClose={() => setEditing(false)} />
      <Dialog
        opened={act.opened}
        onClose={act.close}
        wide={act.subject === "test"}
        title={act.subject === null ? "" : titles[act.subject]}
      >
        {act.subject !== null && <Shown act={act.subject} endpoint={endpoint} onClose={act.close} />}
      </Dialog>
    </>
  )
}
