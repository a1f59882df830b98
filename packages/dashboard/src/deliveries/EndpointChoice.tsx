/** Of which endpoint deliveries are shown: one of those that the server finds by a part of their URL. */
import { useQuery } from "@tanstack/react-query"
import { whenPassed } from "../Client.ts"
import { isMissing } from "../Api.ts"
import { Finder, OFFERED } from "../parts/Finder.tsx"
import { endpoint, findEndpoints } from "../webhook_endpoints/WebhookEndpoints.ts"

interface Props {
  readonly value: string | null
  readonly onChange: (id: string | null) => void
}

/** What the chosen one is called, which may be deleted by now. */
const useLabel = (id: string | null): string => {
  const { data, error } = useQuery({ ...endpoint(id ?? ""), enabled: id !== null, refetchInterval: whenPassed })
  if (id === null) return ""
  return data?.url ?? (isMissing(error) ? `Deleted endpoint ${id}` : id)
}

const find = async (q: string, signal: AbortSignal) =>
  (await findEndpoints({ per_page: OFFERED, q }, signal)).data.map(({ id, url }) => ({ value: id, label: url }))

export const EndpointChoice = ({ value, onChange }: Props) => (
  <Finder
    label="Endpoint"
    all="All endpoints"
    none="No endpoint has this in its URL"
    value={value}
    called={useLabel(value)}
    queryKey={["webhook_endpoints"]}
    find={find}
    onChange={onChange}
  />
)
