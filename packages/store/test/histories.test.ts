/** The storage in memory agrees with the model through many more histories than there is time for on any other. */
import { layerMemory } from "../src/index.ts"
import { Histories } from "../src/testing/index.ts"

Histories.suiteOf(9_000, "all")("memory, all compared after each command", layerMemory)
