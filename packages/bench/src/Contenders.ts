/** Who is measured: our engine, the floor, and the peers. */
import type { Contender } from "./Rig.ts"

const floorModule = import.meta.resolve("./Floor.ts")
/** Another module may stand for ours, such as one with faults, to see that they are found. */
const oursModule = process.env["BENCH_OURS"] ?? import.meta.resolve("./OursPipeline.ts")

/** Events alone: event and deliveries are committed. */
export const floor: Contender = { name: "floor", module: floorModule }
export const ours: Contender = { name: "project", module: oursModule }

/** Each event with a record of about its size, committed together. */
export const floorRecord: Contender = { name: "floor_with_record", module: floorModule, record: true }
export const oursRecord: Contender = { name: "project_with_record", module: oursModule, record: true }

/** One process accepts, another delivers: they meet in the database only. */
export const oursSplit: Contender = { name: "project_in_two_processes", module: oursModule, split: true }
