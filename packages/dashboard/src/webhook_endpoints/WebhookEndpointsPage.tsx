/** The webhook endpoints of the account. */
import { Button, EmptyState, Text } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconPlus, IconWebhook } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { Page } from "../layout/Page.tsx"
import { Dialog, useSubject } from "../parts/Dialog.tsx"
import { Pages } from "../parts/Pages.tsx"
import { Problem } from "../parts/Problem.tsx"
import { Rows } from "../parts/Rows.tsx"
import { useMay } from "../session/Session.ts"
import { Actions, columns } from "./Columns.tsx"
import { Create, Edit } from "./Edit.tsx"
import { Remove } from "./Remove.tsx"
import { type Endpoint, endpoints } from "./WebhookEndpoints.ts"

const CreateButton = ({ onClick }: { onClick: () => void }) => (
  <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onClick}>
    Create endpoint
  </Button>
)

const Empty = ({ may, onCreate }: { may: boolean; onCreate: () => void }) => (
  <div className="panel">
    <EmptyState
      p="xl"
      icon={<IconWebhook aria-hidden />}
      withIndicatorBackground
      title="No webhook endpoints yet"
      description={
        may
          ? "Events are posted to an endpoint as they happen. Create one with the URL of your program, then send it a test event."
          : "Events are posted to an endpoint as they happen. Ask a developer or an owner to create one."
      }
    >
      {may && <CreateButton onClick={onCreate} />}
    </EmptyState>
  </div>
)

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
  const empty = all.data?.meta.total === 0
  return (
    <>
      <Page
        title="Webhook endpoints"
        about="Programs of yours that are told of events as they happen."
        action={may && !empty && <CreateButton onClick={create.open} />}
      />
      {!may && (
        <Text size="sm" c="dimmed" mb="md">
          You are a viewer: developers and owners create and change endpoints.
        </Text>
      )}
      {all.isError && all.data === undefined ? (
        <Problem title="The endpoints could not be loaded" error={all.error} retry={() => void all.refetch()} />
      ) : empty ? (
        <Empty may={may} onCreate={create.open} />
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
      <Pages meta={all.data?.meta} onPage={(next) => void navigate({ search: { page: next } })} />
      <Create opened={creating} onClose={create.close} />
      <Dialogs editing={editing} removing={removing} />
    </>
  )
}
