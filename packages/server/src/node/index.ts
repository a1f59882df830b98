/** What the reference server adds on Node.js: its HTTP server, its sender, embedded PostgreSQL, and all of it wired. */
export * as Database from "./Database.ts"
export * as EmbeddedPostgres from "./EmbeddedPostgres.ts"
export * as SecretKey from "./SecretKey.ts"
export * as Server from "./Server.ts"
export * as StorageLayer from "./StorageLayer.ts"
export * as UndiciSender from "./UndiciSender.ts"
