/** The settings of an endpoint, and how it stands. */
import { Facts } from "../parts/Facts.tsx"
import { Time } from "../parts/Time.tsx"
import { isAll } from "./EventTypes.ts"
import { Standing } from "./Standing.tsx"
import type { Endpoint } from "./WebhookEndpoints.ts"

const rateOf = (max_per_second: number | null): string =>
  max_per_second === null ? "No limit" : `At most ${max_per_second} per second`

const factsOf = (endpoint: Endpoint) => {
  const { id, description, events, max_per_second, ordered, disable_on_gone, secret_overlap_until } = endpoint
  return [
    { name: "Status", value: <Standing endpoint={endpoint} /> },
    { name: "Description", value: description ?? "None" },
    { name: "Created", value: <Time at={endpoint.created_at} /> },
    { name: "Changed", value: <Time at={endpoint.updated_at} /> },
    { name: "Rate", value: rateOf(max_per_second) },
    { name: "Order", value: ordered ? "One after the other" : "As they come" },
    { name: "On 410 Gone", value: disable_on_gone ? "It is disabled then" : "A failure like any other" },
    {
      name: "Signed with",
      value:
        secret_overlap_until === null ? (
          "Its secret"
        ) : (
          <>
            Its secret and the one before, which ends <Time at={secret_overlap_until} />
          </>
        ),
    },
    { name: "Id", value: <span className="mono">{id}</span> },
    {
      name: "Events",
      value: isAll(events) ? "All events, including future ones" : <span className="mono">{events.join(", ")}</span>,
    },
  ]
}

export const About = ({ endpoint }: { endpoint: Endpoint | undefined }) => (
  <Facts facts={endpoint === undefined ? undefined : factsOf(endpoint)} expected={200} />
)
