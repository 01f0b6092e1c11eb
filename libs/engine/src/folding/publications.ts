import type {
  Attribution,
  ConfigurationHistory,
  ConfigurationPublished,
  HashedAttribute,
  RecordedEvent,
} from '@laurel/kernel';
import type { Instant } from '@laurel/calendar';

/** A configuration as recorded in the log. */
export interface RecordedPublication extends Attribution {
  readonly version: number;
  readonly document: unknown;
  readonly attributeHashes?: readonly HashedAttribute[];
  readonly publishedAt: Instant;
}

/** Compiles all publications of an account, in order. A later publication of a version replaces the earlier one. */
export type CompileHistory = (account: string, publications: readonly RecordedPublication[]) => ConfigurationHistory;

export const publicationOf = ({ fact, occurredAt }: RecordedEvent<ConfigurationPublished>): RecordedPublication => {
  const { type: _type, ...published } = fact;
  return { ...published, publishedAt: occurredAt };
};

/** All publications in these events, in order. */
export const publicationsIn = (facts: readonly RecordedEvent[]): readonly RecordedPublication[] =>
  facts.flatMap((record) =>
    record.fact.type === 'ConfigurationPublished' ? [publicationOf({ ...record, fact: record.fact })] : [],
  );
