/** What an endpoint asks of its deliveries: a rate, an order, and what one answer of 410 Gone means. */

/** Quick on any table: a default that is a constant is not written into rows. */
export const statements: ReadonlyArray<string> = [
  `ALTER TABLE tc.webhook_endpoints
    ADD COLUMN max_per_second integer,
    ADD COLUMN ordered boolean NOT NULL DEFAULT false,
    ADD COLUMN disable_on_gone boolean NOT NULL DEFAULT false`,
]
