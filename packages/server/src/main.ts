#!/usr/bin/env node
/** The program `tc-server`: the reference server and its commands. */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Cause, Console, Effect, Exit, Layer } from "effect"
import { CliError, Command } from "effect/cli"
import * as AccountCommand from "./cli/AccountCommand.ts"
import { Environment } from "./cli/Environment.ts"
import * as KeyCommand from "./cli/KeyCommand.ts"
import * as MemberCommand from "./cli/MemberCommand.ts"
import * as MigrateCommand from "./cli/MigrateCommand.ts"
import * as OpenApiCommand from "./cli/OpenApiCommand.ts"
import * as ServeCommand from "./cli/ServeCommand.ts"
import * as Server from "./node/Server.ts"
import { settings } from "./Settings.ts"
import manifest from "../package.json" with { type: "json" }

const widest = Math.max(...Object.keys(settings).map(({ length }) => length))
const about = Object.entries(settings)
  .map(([name, what]) => `    ${name.padEnd(widest)}  ${what}`)
  .join("\n")

const command = Command.make("tc-server", {}, () => ServeCommand.serve).pipe(
  Command.withDescription(`The customization service. Its settings are variables of the environment:\n\n${about}`),
  Command.withSubcommands([
    ServeCommand.command,
    MigrateCommand.command,
    AccountCommand.command,
    KeyCommand.command,
    MemberCommand.command,
    OpenApiCommand.command,
  ]),
)

const log = Layer.unwrap(Effect.map(Environment, Server.layerLog))

/** A failure that a person can do something about is a sentence; a defect keeps its trace. */
const explain = (cause: Cause.Cause<unknown>) => {
  const [failure] = cause.reasons.filter(Cause.isFailReason)
  if (failure === undefined) return Effect.logFatal("the server failed", cause)
  if (CliError.isCliError(failure.error)) return Effect.void
  return Console.error(failure.error instanceof Error ? failure.error.message : String(failure.error))
}

Command.run(command, { version: manifest.version }).pipe(
  Effect.tapCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.void : explain(cause))),
  Effect.provide(log.pipe(Layer.provideMerge(Environment.layer), Layer.provideMerge(NodeServices.layer))),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    // To be told to stop is how a server ends well.
    teardown: (exit, end) => end(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1),
  }),
)
