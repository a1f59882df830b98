/** Webhooks at both ends: verify them, or sign them, decide their retries and judge where they may go. */
export * as Address from "./Address.ts"
export * as Retry from "./Retry.ts"
export * as Secret from "./Secret.ts"
export * as Signer from "./Signer.ts"
export * as Streak from "./Streak.ts"
export * as Target from "./Target.ts"
export * from "./verify.ts"
