import { defineProject } from "vitest/config"

export default defineProject({ test: { name: "dashboard", include: ["test/**/*.test.ts"] } })
