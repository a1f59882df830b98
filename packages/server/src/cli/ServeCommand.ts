/** `serve`: runs the server until it is told to stop. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Server from "../node/Server.ts"
import { Environment } from "./Environment.ts"

export const serve = Effect.flatMap(Environment, Server.run)

export const command = Command.make("serve", {}, () => serve).pipe(
  Command.withDescription("Run the server; this is what happens when no command is given"),
)
