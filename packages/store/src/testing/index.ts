/**
 * The contract of a storage as suites: what the interfaces promise, each promise a test. They run beside other tests on
 * one database, for each test makes an account of its own; but while they run nobody else may claim deliveries there.
 */
import { describe, it } from "@effect/vitest"
import * as Accounts from "./Accounts.ts"
import * as ApiKeys from "./ApiKeys.ts"
import * as Atomicity from "./Atomicity.ts"
import * as AuditLog from "./AuditLog.ts"
import * as Cascade from "./Cascade.ts"
import * as Claims from "./Claims.ts"
import { options, type Suite } from "./Contract.ts"
import * as Creation from "./Creation.ts"
import * as Deliveries from "./Deliveries.ts"
import * as Designs from "./Designs.ts"
import * as Endpoints from "./Endpoints.ts"
import * as Events from "./Events.ts"
import * as Fences from "./Fences.ts"
import * as FormerSettings from "./FormerSettings.ts"
import * as Histories from "./Histories.ts"
import * as Gates from "./Gates.ts"
import * as Handoff from "./Handoff.ts"
import * as Invitations from "./Invitations.ts"
import * as Isolation from "./Isolation.ts"
import * as Leases from "./Leases.ts"
import * as Lists from "./Lists.ts"
import * as Members from "./Members.ts"
import * as Modification from "./Modification.ts"
import * as Positions from "./Positions.ts"
import * as Probes from "./Probes.ts"
import * as Records from "./Records.ts"
import * as Recoveries from "./Recoveries.ts"
import * as Retention from "./Retention.ts"
import * as Sessions from "./Sessions.ts"
import * as Settling from "./Settling.ts"
import * as Sizes from "./Sizes.ts"
import * as Streaks from "./Streaks.ts"
import * as Tallies from "./Tallies.ts"
import * as Throttles from "./Throttles.ts"
import * as Trouble from "./Trouble.ts"
import * as Written from "./Written.ts"

export type { StorageLayer, Suite, Tests } from "./Contract.ts"
export * as Fixture from "./Fixture.ts"
export {
  Accounts,
  ApiKeys,
  Atomicity,
  AuditLog,
  Cascade,
  Claims,
  Creation,
  Deliveries,
  Designs,
  Endpoints,
  Events,
  Fences,
  FormerSettings,
  Gates,
  Handoff,
  Histories,
  Invitations,
  Isolation,
  Leases,
  Lists,
  Members,
  Modification,
  Positions,
  Probes,
  Records,
  Recoveries,
  Retention,
  Sessions,
  Settling,
  Sizes,
  Streaks,
  Tallies,
  Throttles,
  Trouble,
  Written,
}

const subjects = {
  Records,
  Creation,
  Modification,
  Lists,
  Isolation,
  Cascade,
  Designs,
  Positions,
  Probes,
  Atomicity,
  Events,
  Endpoints,
  Leases,
  Claims,
  Gates,
  Settling,
  Fences,
  Sizes,
  Streaks,
  Written,
  Deliveries,
  FormerSettings,
  Recoveries,
  ApiKeys,
  Accounts,
  Members,
  Sessions,
  Invitations,
  AuditLog,
  Throttles,
  Tallies,
  Trouble,
}

/**
 * All suites over one storage. It is built four times: for them together, for the hand-over of deliveries
 * with a receiver of its own, for what is removed by age, whosever it is, and for random histories with a clock of theirs.
 */
export const suites: Suite = (name, layer) => {
  it.layer(layer, options)(name, (it) => {
    for (const [subject, { tests }] of Object.entries(subjects)) {
      describe(`${subject} suite`, () => {
        tests(it)
      })
    }
  })
  Handoff.suite(name, layer)
  Retention.suite(name, layer)
  Histories.suite(name, layer)
}
