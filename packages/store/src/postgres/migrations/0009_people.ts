/** Who may use the dashboard: members, how they come in, how long they stay, and what they did. */

export const statements: ReadonlyArray<string> = [
  `CREATE TABLE tc.members (
    account_id uuid NOT NULL REFERENCES tc.accounts (id),
    id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    password_hash text NOT NULL,
    last_seen_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    CONSTRAINT members_email_key UNIQUE (account_id, email)
  )`,
  // Whoever signs in names no account.
  `CREATE INDEX members_email ON tc.members (email)`,
  // No index has `last_seen_at`, which changes most: so that a change of it writes to none.
  `CREATE TABLE tc.sessions (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    member_id uuid NOT NULL,
    token_hash text NOT NULL,
    last_seen_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    CONSTRAINT sessions_member_id_fkey FOREIGN KEY (account_id, member_id)
      REFERENCES tc.members (account_id, id) ON DELETE CASCADE
  )`,
  `CREATE INDEX sessions_token ON tc.sessions (token_hash)`,
  `CREATE INDEX sessions_member ON tc.sessions (account_id, member_id)`,
  // `invited_by` is no reference: an invitation outlives who made it, and null says that the server did.
  `CREATE TABLE tc.invitations (
    account_id uuid NOT NULL REFERENCES tc.accounts (id),
    id uuid NOT NULL,
    role text NOT NULL,
    email text,
    invited_by uuid,
    token_hash text NOT NULL,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id)
  )`,
  `CREATE INDEX invitations_token ON tc.invitations (token_hash)`,
  // Entries outlive members and subjects, so that they refer to neither.
  `CREATE TABLE tc.audit_entries (
    account_id uuid NOT NULL REFERENCES tc.accounts (id),
    id uuid NOT NULL,
    action text NOT NULL,
    member_id uuid,
    email text,
    subject_id text,
    subject text,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id)
  )`,
  `CREATE INDEX audit_entries_newest ON tc.audit_entries (account_id, created_at, id)`,
  // Of no account: what is tried before anybody has signed in.
  `CREATE TABLE tc.throttles (
    key text PRIMARY KEY,
    tries integer NOT NULL,
    over_at timestamptz NOT NULL
  )`,
  `CREATE INDEX throttles_over ON tc.throttles (over_at)`,
]
