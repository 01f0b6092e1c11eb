import type { Instant } from '@laurel/calendar';
import type { Attribution } from '@laurel/kernel';

/** What somebody publishes. The document alone decides; the text, with its comments and its order, is only shown. */
export interface WrittenDocument {
  readonly document: unknown;
  /** YAML or JSON that was read as the document; null: it was not given as text. */
  readonly text: string | null;
}

/** A version as the log holds it. */
export interface Publication extends Attribution {
  readonly version: number;
  /** The document as it was given, parsed. */
  readonly document: unknown;
  readonly publishedAt: Instant;
}
