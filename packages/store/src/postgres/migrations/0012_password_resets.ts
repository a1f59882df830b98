/** A member may have a link with which they choose another password: one at a time, for some hours. */

export const statements: ReadonlyArray<string> = [
  `ALTER TABLE tc.members ADD COLUMN reset_hash text, ADD COLUMN reset_expires_at timestamptz`,
  `CREATE INDEX members_reset ON tc.members (reset_hash) WHERE reset_hash IS NOT NULL`,
]
