import type { Instant } from '@laurel/calendar';
import type { Attribution } from '@laurel/contracts';

/** A version as the log holds it. */
export interface Publication extends Attribution {
  readonly version: number;
  /** The document as it was given, parsed. */
  readonly document: unknown;
  readonly publishedAt: Instant;
}
