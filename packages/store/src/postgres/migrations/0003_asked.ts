/** A delivery that a person retries goes out though its endpoint does not answer. */

export const statements: ReadonlyArray<string> = [
  // Whether a person asked for the next attempt.
  `ALTER TABLE tc.deliveries ADD COLUMN asked boolean NOT NULL DEFAULT false`,
]
