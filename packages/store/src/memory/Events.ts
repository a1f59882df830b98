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
          const row = Outbox.rowOf(memory, account_id, Event.raisedOf(event), millis)
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
      history: (account_id, { record_id, told_as, since, ...request }) =>
        memory.step(() => {
          const rows = [...memory.events(account_id).values()].flatMap(({ id, event, tail }) => {
            const { occurred_at } = decode(Event.body(id, tail))
            const isOfKind = told_as.includes(event.split(".", 1)[0]!)
            const isIts = isOfKind && Event.subjectOf(event, tail) === record_id && occurred_at >= since
            return isIts ? [{ id, event, occurred_at }] : []
          })
          const deliveries = [...memory.deliveries(account_id).values()]
          const { data, meta } = Query.page(request, rows.toReversed())
          const counted = data.map((row) => ({
            ...row,
            delivery_count: deliveries.filter(({ event_id }) => event_id === row.id).length,
          }))
          return Result.succeed({ data: counted, meta })
        }),
      tail: (account_id, id) => memory.step(() => Result.succeed(memory.events(account_id).get(id)?.tail ?? null)),
    }),
  ),
)
