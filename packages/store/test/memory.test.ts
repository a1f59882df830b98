/** The storage in memory keeps every promise of the contract. */
import { layerMemory } from "@tc/store"
import { suites } from "@tc/store/testing"

suites("memory", layerMemory)
