/** The twin's tables and statements: keys, stores and products beside the floor's events and deliveries. */
import * as FloorTables from "./FloorTables.ts"
import type { Table } from "./Records.ts"

/** Every table the twin writes or reads. */
export const tables: string = `${FloorTables.tables}
CREATE EXTENSION btree_gin;
CREATE EXTENSION pg_trgm;
CREATE TABLE api_keys (
  account_id uuid NOT NULL, id uuid NOT NULL DEFAULT uuidv7(), prefix text NOT NULL, hash bytea NOT NULL,
  scopes text[] NOT NULL, expires_at timestamptz, revoked_at timestamptz,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX api_keys_prefix ON api_keys (prefix);
CREATE TABLE stores (
  account_id uuid NOT NULL, id uuid NOT NULL DEFAULT uuidv7(), name text NOT NULL, platform text NOT NULL,
  PRIMARY KEY (account_id, id)
);
CREATE TABLE products (
  account_id uuid NOT NULL, id uuid NOT NULL, name text NOT NULL, description text, store_id uuid NOT NULL,
  customizable boolean NOT NULL, base_image_url text, variants jsonb NOT NULL,
  created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, store_id) REFERENCES stores ON DELETE CASCADE
);
CREATE INDEX products_newest ON products (account_id, created_at, id);
CREATE INDEX products_store ON products (account_id, store_id);
CREATE INDEX products_name ON products USING gin (account_id, name gin_trgm_ops);`

/** How `Records.fill` writes a product. */
export const products: Table = {
  name: "products",
  columns: {
    account_id: "account_id",
    id: "uuidv7()",
    name: "name",
    description: "'Made to order, in two print areas.'",
    store_id: "store_id",
    customizable: "true",
    base_image_url: "'https://images.example.com/products/' || n || '.png'",
    variants: `'[{"size":"M","color":"navy"}]'`,
    created_at: "now() - interval '1 year' + n * interval '1 minute'",
    updated_at: "now()",
  },
}

/** The key with this prefix: $1. */
export const key = "SELECT account_id, hash, scopes, expires_at, revoked_at FROM api_keys WHERE prefix = $1"

/** A record: $1 account, $2 id. */
export const get = "SELECT * FROM products WHERE account_id = $1 AND id = $2"

/** A record, its event and its deliveries in one statement: $1–$10 the columns, $11 the event's id, $12 its payload. */
export const create = `
WITH record AS (
  INSERT INTO products (account_id, id, name, description, store_id, customizable, base_image_url, variants, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  RETURNING account_id, created_at
), event AS (
  INSERT INTO events (account_id, id, event, occurred_at, payload)
  SELECT account_id, $11, 'product.created', created_at, $12 FROM record
  RETURNING account_id, id, event
)
INSERT INTO deliveries (account_id, event_id, endpoint_id, status, due_at)
SELECT e.account_id, e.id, p.id, 'pending', now()
FROM event e JOIN endpoints p ON p.account_id = e.account_id
WHERE p.status = 'active' AND (p.events = '{*}' OR e.event = ANY (p.events))`

/** How many records match: $1 account, and $2 a pattern when there is one. */
export const count = (matching: string): string =>
  `SELECT count(*)::int AS total FROM products WHERE account_id = $1 ${matching}`

/** One page, newest first; only the rows of the page are looked up: $1 account, then limit, offset and the pattern. */
export const page = (matching: string): string => `
SELECT p.* FROM (
  SELECT account_id, id FROM products WHERE account_id = $1 ${matching}
  ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3
) k JOIN products p USING (account_id, id)
ORDER BY p.created_at DESC, p.id DESC`
