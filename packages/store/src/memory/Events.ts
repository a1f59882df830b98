/** Events in memory. */
import { Event } from "@tc/domain"
import { Effect, Layer, Result, Schema } from "effect"
import * as Service from "../Events.ts"
import * as Sizes from "../Sizes.ts"
import { Memory } from "./Memory.ts"
import * as Outbox from "./Outbox.ts"
import * as Query from "./Query.ts"

const decode = Schema.decodeSync(Schema.fromJsonString(Event.Event))

export const layer = Layer.effect(
  Service.Events,
  Effect.map(Memory, (memory) =>
    Service.Events.of({
      emit: (account_id, event) =>
        memory.step((millis) => {
          const row = Outbox.rowOf(memory, account_id, event, millis)
          return Result.map(Sizes.fitsEvent(row.tail), () => {
            Outbox.keep(memory, account_id, [row], millis)
            return row.id
          })
        }),
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
      tail: (account_id, id) => memory.step(() => Result.succeed(memory.events(account_id).get(id)?.tail ?? null)),
    }),
  ),
)
