/** What a suite is: the promises on one subject, as tests that any storage can be put to. */
import { it, type Vitest } from "@effect/vitest"
import type { Layer } from "effect"
import type { Services } from "../Services.ts"

/** The `it` that a suite is given: its tests may use every service of the storage. */
export type Tests = Vitest.MethodsNonLive<Services>

/** A storage under test. */
export type StorageLayer = Layer.Layer<Services, unknown>

/** Registers the tests of a suite over a storage; `name` tells the storages apart in the report. */
export type Suite = (name: string, layer: StorageLayer) => void

/** Suites run on the real clock: a pool of connections does not live through the leaps of a test clock. */
export const options = { excludeTestServices: true, timeout: "2 minutes" } as const

/** The suite of some tests, with a storage of its own. */
export const suite =
  (subject: string, tests: (it: Tests) => void): Suite =>
  (name, layer) => {
    it.layer(layer, options)(`${subject} (${name})`, tests)
  }
