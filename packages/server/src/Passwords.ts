/** How passwords are kept: as slow hashes, which whoever steals the database would have to guess one by one. */
import type { Errors } from "@tc/api"
import { Context, type Effect } from "effect"

/** Where somebody waits for a hash: strangers wait behind all who are known, or have shown that they are. */
export type Line = "known" | "strangers"

export class Passwords extends Context.Service<
  Passwords,
  {
    /**
     * A hash with a salt of its own and all it takes to verify it. Takes a noticeable time, and memory. Fails, as `verify`, when
     * too many wait for it.
     */
    readonly hash: (password: string) => Effect.Effect<string, Errors.ServiceUnavailable>
    /** Whether a password has this hash. Takes as long for a wrong one, and for a hash that is not well formed. */
    readonly verify: (password: string, hash: string, line?: Line) => Effect.Effect<boolean, Errors.ServiceUnavailable>
  }
>()("@tc/server/Passwords") {}
