/** Events in memory. */
import { Event } from "@tc/domain"
import { Effect, Layer, Result, Schema } from "effect"
import * as Service from "../Events.ts"
import * as Sizes from "../Sizes.ts"
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
          const texts = data.map(({ id, tail }) => Event.body(id, tail))
          return Result.map(Sizes.page(meta, texts, request.max_bytes), () => ({
            data: texts.map((text) => decode(text)),
            meta,
          }))
        }),
    }),
  ),
)
