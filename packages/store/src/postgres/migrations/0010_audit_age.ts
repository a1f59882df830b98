/** What is old in the audit log is found by its age, whosever it is. */

export const statements: ReadonlyArray<string> = [`CREATE INDEX audit_entries_created ON tc.audit_entries (created_at)`]
