/** The storage in memory keeps every promise of the contract. */
import { layerMemory } from "@tc/store"
import * as Records from "../src/testing/Records.ts"

Records.suite("memory", layerMemory)
