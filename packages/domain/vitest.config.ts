import { defineProject } from "vitest/config"

export default defineProject({
  // A machine may be slow: time decides nothing here.
  test: { name: "domain", include: ["test/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 },
})
