import { defineProject } from "vitest/config"

export default defineProject({
  // Servers and databases start here, on machines that may be slow: time decides nothing.
  test: {
    name: "server",
    include: ["test/**/*.test.ts"],
    globalSetup: ["../../scripts/testPostgres.ts", "../../scripts/testBrowser.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
