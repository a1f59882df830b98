import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    projects: ["packages/*", "examples"],
    coverage: { provider: "v8", include: ["packages/*/src/**/*.ts"], reporter: ["text-summary", "html"] },
  },
})
