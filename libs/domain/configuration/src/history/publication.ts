import type { Instant } from '@laurel/calendar';
import type { Attribution } from '@laurel/kernel';

/** A document to publish. Its text, with comments and order, is only displayed. */
export interface WrittenDocument {
  readonly document: unknown;
  /** The YAML or JSON of the document; null if it was not given as text. */
  readonly text: string | null;
}

/** A version as the log holds it. */
export interface Publication extends Attribution {
  readonly version: number;
  /** The document as it was given, parsed. */
  readonly document: unknown;
  readonly publishedAt: Instant;
}
