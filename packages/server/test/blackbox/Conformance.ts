/** What any server has to do, whatever its storage. */
import { describe } from "vitest"
import type { Api } from "./Api.ts"
import { attempts } from "./Attempts.ts"
import { cascade } from "./Cascade.ts"
import { crowd } from "./Crowd.ts"
import { designs } from "./Designs.ts"
import { disabling } from "./Disabling.ts"
import { endpoints } from "./Endpoints.ts"
import { events } from "./Events.ts"
import { failures } from "./Failures.ts"
import { ids } from "./Ids.ts"
import { keys } from "./Keys.ts"
import { lists } from "./Lists.ts"
import { missed } from "./Missed.ts"
import type { Receiver } from "./Receiver.ts"
import { records } from "./Records.ts"
import { rotation } from "./Rotation.ts"
import type { Server } from "./Server.ts"
import { system } from "./System.ts"
import { wire } from "./Wire.ts"

/** `quiet` is an account in which nothing else happens. What takes its time begins at once, and is looked at last. */
export const conformance = (server: Server, quiet: Api, receiver: Receiver): void => {
  describe("an event", () => {
    events(server, receiver)
  })
  describe("a deletion", () => {
    cascade(server, receiver)
  })
  describe("the server", () => {
    system(server)
  })
  describe("a key", () => {
    keys(server)
  })
  describe("records", () => {
    records(server)
  })
  describe("lists", () => {
    lists(server)
  })
  describe("ids", () => {
    ids(server)
  })
  describe("a design", () => {
    designs(server)
  })
  describe("webhook endpoints", () => {
    endpoints(server)
  })
  describe("a secret that is replaced", () => {
    rotation(server, receiver)
  })
  describe("what an endpoint missed", () => {
    missed(server, receiver)
  })
  describe("refusals", () => {
    failures(server)
  })
  describe("on the wire", () => {
    wire(server)
  })
  describe("a crowd", () => {
    crowd(server, receiver)
  })
  describe("attempts", () => {
    attempts(quiet, receiver)
  })
  describe("an endpoint", () => {
    disabling(quiet, receiver)
  })
}
