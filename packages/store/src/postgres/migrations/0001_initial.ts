/**
 * The first schema: accounts and keys, the resources, and the queue of deliveries. From the first release on it is
 * never changed: what is to change goes into a migration after it.
 */

/** Each statement by itself, in order. Every table has `account_id` in its keys, so that it can be distributed by account. */
export const statements: ReadonlyArray<string> = [
  `CREATE TABLE tc.accounts (
    id uuid PRIMARY KEY,
    name text NOT NULL CONSTRAINT accounts_name_key UNIQUE,
    created_at timestamptz NOT NULL
  )`,
  `CREATE TABLE tc.api_keys (
    account_id uuid NOT NULL REFERENCES tc.accounts (id),
    id uuid NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    hash text NOT NULL,
    scopes json NOT NULL,
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    CONSTRAINT api_keys_hash_key UNIQUE (account_id, hash)
  )`,
  `CREATE INDEX api_keys_prefix ON tc.api_keys (prefix)`,
  `CREATE TABLE tc.stores (
    account_id uuid NOT NULL REFERENCES tc.accounts (id),
    id uuid NOT NULL,
    name text NOT NULL,
    platform text NOT NULL,
    domain text,
    active boolean NOT NULL,
    store_url text,
    external_store_id text,
    connection_status text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id)
  )`,
  `CREATE INDEX stores_newest ON tc.stores (account_id, created_at, id)`,
  `CREATE TABLE tc.products (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    description text,
    store_id uuid NOT NULL,
    customizable boolean NOT NULL,
    base_image_url text,
    variants text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    CONSTRAINT products_copied_key UNIQUE (account_id, id, store_id),
    CONSTRAINT products_store_id_fkey FOREIGN KEY (account_id, store_id) REFERENCES tc.stores (account_id, id)
  )`,
  `CREATE INDEX products_newest ON tc.products (account_id, created_at, id)`,
  `CREATE INDEX products_store ON tc.products (account_id, store_id)`,
  `CREATE TABLE tc.print_areas (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    product_id uuid NOT NULL,
    name text NOT NULL,
    width_px integer NOT NULL,
    height_px integer NOT NULL,
    bounds text,
    background_url text,
    position integer NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    CONSTRAINT print_areas_product_id_fkey FOREIGN KEY (account_id, product_id) REFERENCES tc.products (account_id, id)
  )`,
  `CREATE INDEX print_areas_position ON tc.print_areas (account_id, product_id, position, created_at, id)`,
  `CREATE TABLE tc.templates (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    description text,
    store_id uuid NOT NULL,
    active boolean NOT NULL,
    canvas_data text NOT NULL,
    thumbnail_url text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    CONSTRAINT templates_store_id_fkey FOREIGN KEY (account_id, store_id) REFERENCES tc.stores (account_id, id)
  )`,
  `CREATE INDEX templates_newest ON tc.templates (account_id, created_at, id)`,
  `CREATE INDEX templates_store ON tc.templates (account_id, store_id)`,
  `CREATE TABLE tc.designs (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    product_id uuid NOT NULL,
    store_id uuid NOT NULL,
    session_token text NOT NULL,
    status text NOT NULL,
    cart_locked boolean NOT NULL,
    canvas_data text NOT NULL,
    preview_url text,
    metadata text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    CONSTRAINT designs_session_token_key UNIQUE (account_id, session_token),
    CONSTRAINT designs_product_id_fkey FOREIGN KEY (account_id, product_id, store_id)
      REFERENCES tc.products (account_id, id, store_id) ON UPDATE CASCADE
  )`,
  `CREATE INDEX designs_newest ON tc.designs (account_id, created_at, id)`,
  `CREATE INDEX designs_product ON tc.designs (account_id, product_id)`,
  `CREATE TABLE tc.assets (
    account_id uuid NOT NULL REFERENCES tc.accounts (id),
    id uuid NOT NULL,
    name text NOT NULL,
    asset_type text NOT NULL,
    category text,
    metadata text NOT NULL,
    file_url text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id)
  )`,
  `CREATE INDEX assets_newest ON tc.assets (account_id, created_at, id)`,
  `CREATE TABLE tc.webhook_endpoints (
    account_id uuid NOT NULL REFERENCES tc.accounts (id),
    id uuid NOT NULL,
    url text NOT NULL,
    events jsonb NOT NULL,
    description text,
    status text NOT NULL,
    consecutive_failures integer NOT NULL,
    disabled_at timestamptz,
    secret text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id)
  )`,
  `CREATE INDEX webhook_endpoints_newest ON tc.webhook_endpoints (account_id, created_at, id)`,
  // `tail` is the exact text that every delivery of the event sends after its own id: text, for jsonb would reorder it.
  `CREATE TABLE tc.events (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    event text NOT NULL,
    occurred_at timestamptz NOT NULL,
    tail text NOT NULL,
    PRIMARY KEY (account_id, id)
  )`,
  // `due_at` says when a worker may take a delivery: when it is due, or when the lease on it runs out. Null: it has ended.
  // `manual`: it had ended, and a person asked for one attempt more.
  `CREATE TABLE tc.deliveries (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    event_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event text NOT NULL,
    status text NOT NULL,
    attempt_count integer NOT NULL,
    due_at timestamptz,
    lease text,
    manual boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id)
  )`,
  `CREATE INDEX deliveries_endpoint ON tc.deliveries (account_id, endpoint_id, id)`,
  // The queue: first attempts and retries apart, so that a flood of one cannot hide the other.
  `CREATE INDEX deliveries_first ON tc.deliveries (due_at, id) WHERE due_at IS NOT NULL AND attempt_count = 0`,
  `CREATE INDEX deliveries_again ON tc.deliveries (due_at, id) WHERE due_at IS NOT NULL AND attempt_count > 0`,
  // The same by endpoint.
  `CREATE INDEX deliveries_open ON tc.deliveries (account_id, endpoint_id, due_at) WHERE due_at IS NOT NULL`,
  `CREATE TABLE tc.attempts (
    account_id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    number integer NOT NULL,
    started_at timestamptz NOT NULL,
    duration_ms integer NOT NULL,
    status_code integer,
    error text,
    response_excerpt text,
    PRIMARY KEY (account_id, delivery_id, number)
  )`,
  // Search in lower case. The database's own locale may know no letters but A to Z, so the best that there is does it.
  `DO $$
  DECLARE best text;
  BEGIN
    SELECT format(' COLLATE pg_catalog.%I', collname) INTO best FROM pg_collation
    WHERE collname IN ('pg_c_utf8', 'und-x-icu') AND collnamespace = 'pg_catalog'::regnamespace
      AND collencoding IN (-1, pg_char_to_encoding(getdatabaseencoding()))
    ORDER BY collname LIMIT 1;
    EXECUTE format(
      'CREATE FUNCTION tc.fold(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS %L',
      format('SELECT lower($1%s)', best));
  END $$`,
]
