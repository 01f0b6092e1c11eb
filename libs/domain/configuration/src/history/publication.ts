import type { Instant } from '@laurel/calendar';
import type { Attribution, HashedAttribute } from '@laurel/kernel';

/** A document to publish. The text, with its comments and order, is only displayed. */
export interface WrittenDocument {
  readonly document: unknown;
  /** The YAML or JSON text of the document, or null if it was not given as text. */
  readonly text: string | null;
}

/** A version as recorded in the log. */
export interface Publication extends Attribution {
  readonly version: number;
  /** The published document, parsed. */
  readonly document: unknown;
  /** The hashes of the attributes that its conditions name; absent without conditions. */
  readonly attributeHashes?: readonly HashedAttribute[];
  readonly publishedAt: Instant;
}
