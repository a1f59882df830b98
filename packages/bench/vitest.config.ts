import { defineProject } from "vitest/config"

export default defineProject({
  // Whole benchmarks run here, short ones, on machines that may be slow: time decides nothing.
  test: { name: "bench", include: ["test/**/*.test.ts"], testTimeout: 600_000, hookTimeout: 120_000 },
})
