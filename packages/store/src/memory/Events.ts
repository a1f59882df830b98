/** Events in memory. */
import { Event } from "@tc/domain"
import { Effect, Layer, Result, Schema } from "effect"
import * as Service from "../Events.ts"
import { Memory } from "./Memory.ts"
import * as Query from "./Query.ts"

const decode = Schema.decodeSync(Schema.fromJsonString(Event.Event))

export const layer = Layer.effect(
  Service.Events,
  Effect.map(Memory, (memory) =>
    Service.Events.of({
      list: (account_id, request) =>
        memory.step(() => {
          const kept = [...memory.events(account_id).values()].filter(Query.matches({ event: request.event }))
          const { data, meta } = Query.page(request, kept.toReversed())
          return Result.succeed({ data: data.map(({ id, tail }) => decode(Event.body(id, tail))), meta })
        }),
    }),
  ),
)
