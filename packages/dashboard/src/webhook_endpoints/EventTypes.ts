/** The events that there are, and those of an endpoint in words. */
import type { Dashboard } from "@tc/api"
import { queryOptions } from "@tanstack/react-query"
import { get } from "../Api.ts"
import { counted } from "../parts/Count.ts"
import type { Endpoint } from "./WebhookEndpoints.ts"

export type EventType = typeof Dashboard.EventType.Type
export type EventName = EventType["name"]

/** The catalogue changes with the server alone. */
export const eventTypes = queryOptions({
  queryKey: ["event_types"],
  queryFn: async ({ signal }) => (await get<typeof Dashboard.EventTypeList.Type>("/event_types", {}, signal)).data,
  staleTime: Number.POSITIVE_INFINITY,
})

/** What an event is about: the part before the dot. */
const resourceOf = (name: string): string => name.slice(0, name.indexOf("."))

/** A resource as people read it: `print_area` is "Print area". */
export const spoken = (resource: string): string => {
  const words = resource.replaceAll("_", " ")
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** Events by what they are about, in the order of the catalogue; of a search, those that have it in name or description. */
export const grouped = (all: ReadonlyArray<EventType>, search = ""): ReadonlyArray<[string, Array<EventType>]> => {
  const wanted = search.trim().toLowerCase()
  const found = all.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted))
  return [...Map.groupBy(found, ({ name }) => resourceOf(name))]
}

/** Whether an endpoint is told of everything, of events as well that do not exist yet. */
export const isAll = (events: Endpoint["events"]): boolean => events[0] === "*"

/** How many events an endpoint is told of. */
export const howMany = (events: Endpoint["events"]): string =>
  isAll(events) ? "All events" : counted(events.length, "event")
