/** When the overlap ends in which older secrets of an endpoint sign beside the present one. They stand in `secret` themselves. */

export const statements: ReadonlyArray<string> = [
  `ALTER TABLE tc.webhook_endpoints ADD COLUMN secret_overlap_until timestamptz`,
]
