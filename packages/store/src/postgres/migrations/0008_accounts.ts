/**
 * Records no longer refer to their account by constraint. It looked the account up for each row, one by one, and locked it: the
 * one row that all writes of an account have in common. Accounts are never removed, and callers come with theirs from a key.
 */
export const statements: ReadonlyArray<string> = ["stores", "assets", "webhook_endpoints"].map(
  (table) => `ALTER TABLE tc.${table} DROP CONSTRAINT ${table}_account_id_fkey`,
)
