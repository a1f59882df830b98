import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    // The longest tests wait, for leases and for databases that are away: others run meanwhile.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: ["packages/*", "examples"],
    coverage: { provider: "v8", include: ["packages/*/src/**/*.ts"], reporter: ["text-summary", "html"] },
  },
})
