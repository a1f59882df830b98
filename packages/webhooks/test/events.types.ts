/** What the types of verify promise. There is nothing to run: it holds when it compiles. */
import type { IncomingHttpHeaders } from "node:http"
import { expectTypeOf } from "@effect/vitest"
import type { Received, Reason, UnknownEvent, Verified, WebhookEvent } from "../src/verify.ts"

declare const result: Verified
if (!result.ok) expectTypeOf(result.reason).toEqualTypeOf<Reason>()
// @ts-expect-error there is an event only where the delivery was verified
else expectTypeOf(result.reason).toBeString()

declare const event: WebhookEvent | UnknownEvent
// @ts-expect-error data cannot be used before its event is known
expectTypeOf(event.data.preview_url).toBeString()
// @ts-expect-error a misspelt name is no unknown event
if (event.event === "design.finalised") expectTypeOf(event).toBeNever()
if (event.event === "design.finalized") expectTypeOf(event.data.preview_url).toEqualTypeOf<string | null>()
if (event.event === "design.finalized") expectTypeOf(event.data.status).toEqualTypeOf<"draft" | "finalized">()

// Whoever has handled every event of the catalogue is left with the unknown ones, whose names are text.
expectTypeOf<Exclude<typeof event, WebhookEvent>>().toEqualTypeOf<UnknownEvent>()
expectTypeOf<UnknownEvent["event"]>().toExtend<string>()
expectTypeOf<UnknownEvent["data"]>().toBeUnknown()

// The requests of Fetch, and of frameworks over Node that leave the body as it is, fit without a change.
expectTypeOf<Request>().toExtend<Received>()
expectTypeOf<{ headers: IncomingHttpHeaders; body: Buffer }>().toExtend<Received>()
expectTypeOf<{ headers: NodeJS.Dict<string[]>; body: ArrayBuffer }>().toExtend<Received>()
expectTypeOf<{ headers: Headers; body: string }>().toExtend<Received>()
expectTypeOf<{ headers: Record<string, string>; body: string }>().toExtend<Received>()
expectTypeOf<{ headers: Headers; body: { id: string } }>().not.toExtend<Received>()
