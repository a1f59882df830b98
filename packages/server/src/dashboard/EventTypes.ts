/** The catalogue of events. */
import { Dashboard } from "@tc/api"
import { Event, Sample } from "@tc/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Responses from "../http/Responses.ts"

const types = Event.all.map((name) => ({ name, description: Event.descriptions[name], sample: Sample.of(name) }))

export const layer = HttpApiBuilder.group(Dashboard.Dashboard, "event_types", (group) =>
  Effect.succeed(group.handleAll({ list: () => Effect.succeed(Responses.json({ data: types })) })),
)
