/** What any server has to do, whatever its storage. */
import { describe } from "vitest"
import { designs } from "./Designs.ts"
import { failures } from "./Failures.ts"
import { ids } from "./Ids.ts"
import { lists } from "./Lists.ts"
import { records } from "./Records.ts"
import type { Server } from "./Server.ts"

export const conformance = (server: Server): void => {
  describe("records", () => records(server))
  describe("lists", () => lists(server))
  describe("ids", () => ids(server))
  describe("a design", () => designs(server))
  describe("refusals", () => failures(server))
}
