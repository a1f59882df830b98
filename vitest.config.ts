import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Files that take longest: what is begun last is waited for alone. */
const slow = [
  "server/test/faults/faults.test.ts",
  "server/test/blackbox/local.test.ts",
  "server/test/blackbox/postgres.test.ts",
  "server/test/blackbox/several.test.ts",
  "store/test/postgres.test.ts",
  "bench/test/main.test.ts",
  "server/test/browser/",
]

const isSlow = ({ moduleId }: TestSpecification) => slow.some((path) => moduleId.includes(`/${path}`))

class SlowFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is the sequencer's, and copies
    const sorted = await super.sort(files)
    return sorted.toSorted((left, right) => Number(isSlow(right)) - Number(isSlow(left)))
  }
}

export default defineConfig({
  test: {
    projects: ["packages/*", "examples"],
    sequence: { sequencer: SlowFirst },
    coverage: { provider: "v8", include: ["packages/*/src/**/*.ts"], reporter: ["text-summary", "html"] },
  },
})
