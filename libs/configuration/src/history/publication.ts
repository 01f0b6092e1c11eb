import type { Instant } from '@laurel/calendar';

/** A version as the log holds it. */
export interface Publication {
  readonly version: number;
  /** The document as it was given, parsed. */
  readonly document: unknown;
  readonly publishedAt: Instant;
}
