import { defineProject } from "vitest/config"

export default defineProject({
  // Some tests write thousands of rows, and a machine may be slow: time decides nothing here.
  test: {
    name: "store",
    include: ["test/**/*.test.ts"],
    globalSetup: ["../../scripts/testPostgres.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
