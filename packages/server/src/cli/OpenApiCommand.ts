/** `openapi`: prints the document that the server serves at `/openapi.json`. */
import { OpenApi } from "@tc/api"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { Environment } from "./Environment.ts"
import { json } from "./Output.ts"

export const command = Command.make("openapi", { json }, () =>
  Effect.flatMap(Environment, ({ deliveries: { brand } }) =>
    Console.log(JSON.stringify(OpenApi.document({ brand }), null, 2)),
  ),
).pipe(Command.withDescription("Print the OpenAPI 3.1 document"))
