import type { Instant } from '@laurel/calendar';

/** A configuration version as the log holds it. */
export interface Publication {
  readonly version: number;
  readonly document: unknown;
  readonly publishedAt: Instant;
}
