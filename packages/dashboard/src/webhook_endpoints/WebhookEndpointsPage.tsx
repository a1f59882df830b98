/** The webhook endpoints of the account. */
import { Button, Text } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconPlus, IconWebhook } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { Page } from "../layout/Page.tsx"
import { Dialog, useSubject } from "../parts/Dialog.tsx"
import { Empty } from "../parts/Empty.tsx"
import { Loaded } from "../parts/Loaded.tsx"
import { Pages } from "../parts/Pages.tsx"
import { Rows } from "../parts/Rows.tsx"
import { useMay } from "../session/Session.ts"
import { Actions, columns } from "./Columns.tsx"
import { Create, Edit } from "./Edit.tsx"
import { Remove } from "./Remove.tsx"
import { type Endpoint, endpoints } from "./WebhookEndpoints.ts"

/** What can be done with one of the rows. */
const Dialogs = ({ editing, removing }: { editing: Subject; removing: Subject }) => (
  <>
    <Edit endpoint={editing.subject} opened={editing.opened} onClose={editing.close} />
    <Dialog opened={removing.opened} onClose={removing.close} title="Delete the webhook endpoint?">
      {removing.subject !== null && (
        <Remove endpoint={removing.subject} onRemoved={() => Promise.resolve()} onClose={removing.close} />
      )}
    </Dialog>
  </>
)

type Subject = ReturnType<typeof useSubject<Endpoint>>

export const WebhookEndpointsPage = () => {
  const { page = 1 } = useSearch({ from: "/shell/webhook-endpoints" })
  const navigate = useNavigate({ from: "/webhook-endpoints" })
  const all = useQuery(endpoints({ page }))
  const may = useMay("developer")
  const [creating, create] = useDisclosure(false)
  const editing = useSubject<Endpoint>()
  const removing = useSubject<Endpoint>()
  const actions = (endpoint: Endpoint) => <Actions endpoint={endpoint} onEdit={editing.open} onRemove={removing.open} />
  return (
    <>
      <Page
        title="Webhook endpoints"
        about="Programs of yours that are told of events as they happen."
        action={
          may && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create.open}>
              Create endpoint
            </Button>
          )
        }
      />
      {!may && (
        <Text size="sm" c="dimmed" mb="md">
          You are a viewer: developers and owners create and change endpoints.
        </Text>
      )}
      <Loaded query={all} what="endpoints">
        {all.data?.meta.total === 0 ? (
          <Empty
            icon={IconWebhook}
            title="No webhook endpoints yet"
            description={`Events are posted to an endpoint as they happen. ${may ? "Create one with the URL of your program, then send it a test event." : "Ask a developer or an owner to create one."}`}
          />
        ) : (
          <Rows
            label="Webhook endpoints"
            tall
            columns={columns}
            rows={all.data?.data}
            id={({ id }) => id}
            actions={may ? actions : undefined}
          />
        )}
      </Loaded>
      <Pages meta={all.data?.meta} onPage={(next, replace) => void navigate({ search: { page: next }, replace })} />
      <Create
        opened={creating}
        onClose={create.close}
        onCreated={({ id }) => {
          create.close()
          void navigate({ to: "/webhook-endpoints/$id", params: { id } })
        }}
      />
      <Dialogs editing={editing} removing={removing} />
    </>
  )
}
