/** What the types of verify promise. There is nothing to run: it holds when it compiles. */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import { expectTypeOf } from "@effect/vitest"
import type { Received, Refusal, UnknownEvent, Verified, VerifyOptions, WebhookEvent } from "../src/verify.ts"
import type * as Webhooks from "../src/index.ts"

declare const result: Verified
if (!result.ok) expectTypeOf(result.reason).toEqualTypeOf<Refusal>()
// @ts-expect-error there is an event only where the delivery was verified
else expectTypeOf(result.reason).toBeString()

declare const event: WebhookEvent | UnknownEvent
// @ts-expect-error data cannot be used before its event is known
expectTypeOf(event.data.preview_url).toBeString()
// @ts-expect-error a misspelt name is no unknown event
if (event.event === "design.finalised") expectTypeOf(event).toBeNever()
// @ts-expect-error so neither can one be that is newer than the types
if (event.event === "design.teleported") expectTypeOf(event).toBeNever()
// As text it can be named; its data is for whoever names it to read.
const name: string = event.event
if (name === "design.teleported") expectTypeOf(event.data).toBeUnknown()
if (event.event === "design.finalized") expectTypeOf(event.data.preview_url).toEqualTypeOf<string | null>()
if (event.event === "design.finalized") expectTypeOf(event.data.status).toEqualTypeOf<"draft" | "finalized">()

// Whoever has handled every event of the catalogue is left with the unknown ones, whose names are text.
expectTypeOf<Exclude<typeof event, WebhookEvent>>().toEqualTypeOf<UnknownEvent>()
expectTypeOf<UnknownEvent["event"]>().toExtend<string>()
expectTypeOf<UnknownEvent["data"]>().toBeUnknown()

// The types that public signatures use have names of their own at the root.
expectTypeOf<Webhooks.VerifyOptions>().toEqualTypeOf<VerifyOptions>()
expectTypeOf<Webhooks.Signer.Message>().toEqualTypeOf<Parameters<Webhooks.Signer.Signer["sign"]>[0]>()

// The requests of Fetch, and of frameworks over Node that leave the body as it is, fit without a change.
expectTypeOf<Request>().toExtend<Received>()
expectTypeOf<{ headers: IncomingHttpHeaders; body: Buffer }>().toExtend<Received>()
expectTypeOf<{ headers: NodeJS.Dict<string[]>; body: ArrayBuffer }>().toExtend<Received>()
expectTypeOf<{ headers: Headers; body: string }>().toExtend<Received>()
expectTypeOf<{ headers: Record<string, string>; body: string }>().toExtend<Received>()
expectTypeOf<{ headers: Record<string, string | undefined>; body: string | null }>().toExtend<Received>()
expectTypeOf<{ headers: Headers; body: { id: string } }>().not.toExtend<Received>()
// Node's own has no body to verify: it is still to be read.
expectTypeOf<IncomingMessage>().not.toExtend<Received>()
