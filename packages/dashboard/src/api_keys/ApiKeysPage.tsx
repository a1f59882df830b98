/** The API keys of the account. */
import { Button, Text } from "@mantine/core"
import { IconKey, IconPlus } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { Page } from "../layout/Page.tsx"
import { Dialog, useAnswer, useSubject } from "../parts/Dialog.tsx"
import { Empty } from "../parts/Empty.tsx"
import { Loaded } from "../parts/Loaded.tsx"
import { Pages } from "../parts/Pages.tsx"
import { Rows } from "../parts/Rows.tsx"
import { useNow } from "../parts/Time.tsx"
import { useMay } from "../session/Session.ts"
import { apiKeys, type Key, type WithKey } from "./ApiKeys.ts"
import { Actions, columns } from "./Columns.tsx"
import { Create } from "./Create.tsx"
import { Example } from "./Example.tsx"
import { NewKey } from "./NewKey.tsx"
import { Revoke } from "./Revoke.tsx"
import { Rotate } from "./Rotate.tsx"

/** One dialog leads from the form to the new key, so that nothing closes in between. */
const KeyDialog = ({ rotated, ...dialog }: { rotated: Key | null; opened: boolean; onClose: () => void }) => {
  const [created, setCreated] = useAnswer<WithKey>(dialog.opened)
  const title = rotated === null ? "Create an API key" : "Rotate the API key"
  return (
    <Dialog {...dialog} title={created === null ? title : "Your new API key"} held={created !== null}>
      {created !== null ? (
        <NewKey created={created} onDone={dialog.onClose} />
      ) : rotated === null ? (
        <Create onCreated={setCreated} onClose={dialog.onClose} />
      ) : (
        <Rotate api_key={rotated} onRotated={setCreated} onClose={dialog.onClose} />
      )}
    </Dialog>
  )
}

export const ApiKeysPage = () => {
  const { page = 1 } = useSearch({ from: "/shell/api-keys" })
  const navigate = useNavigate({ from: "/api-keys" })
  const keys = useQuery(apiKeys({ page }))
  const may = useMay("developer")
  const now = useNow()
  const making = useSubject<Key | null>()
  const revoking = useSubject<Key>()
  const actions = (key: Key) => <Actions api_key={key} now={now} onRotate={making.open} onRevoke={revoking.open} />
  return (
    <>
      <Page
        title="API keys"
        about="With a key, a program uses the REST API in the name of this account."
        action={
          may && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => making.open(null)}>
              Create key
            </Button>
          )
        }
      />
      {!may && (
        <Text size="sm" c="dimmed" mb="md">
          You are a viewer: developers and owners create, rotate and revoke keys.
        </Text>
      )}
      <Loaded query={keys} what="keys">
        {keys.data?.meta.total === 0 ? (
          <Empty
            icon={IconKey}
            title="No API keys yet"
            description={`A key lets a program use the REST API. ${may ? "Create one, then try it:" : "Ask a developer or an owner to create one; this is how it is used:"}`}
          >
            <Example />
          </Empty>
        ) : (
          <Rows
            label="API keys"
            tall
            columns={columns(now)}
            rows={keys.data?.data}
            id={({ id }) => id}
            actions={may ? actions : undefined}
          />
        )}
      </Loaded>
      <Pages meta={keys.data?.meta} onPage={(next, replace) => void navigate({ search: { page: next }, replace })} />
      <KeyDialog opened={making.opened} onClose={making.close} rotated={making.subject} />
      <Dialog opened={revoking.opened} onClose={revoking.close} title="Revoke the API key?">
        {revoking.subject !== null && <Revoke api_key={revoking.subject} onClose={revoking.close} />}
      </Dialog>
    </>
  )
}
