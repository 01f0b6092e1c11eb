import type { Attribution, ConfigurationHistory, ConfigurationPublished, RecordedEvent } from '@laurel/kernel';
import type { Instant } from '@laurel/calendar';

/** A configuration as the log holds it. */
export interface RecordedPublication extends Attribution {
  readonly version: number;
  readonly document: unknown;
  readonly publishedAt: Instant;
}

/** Compiles everything that was published for an account, in order; a later publication of the same version replaces it. */
export type CompileHistory = (account: string, publications: readonly RecordedPublication[]) => ConfigurationHistory;

export const publicationOf = ({ fact, occurredAt }: RecordedEvent<ConfigurationPublished>): RecordedPublication => {
  const { type: _type, ...published } = fact;
  return { ...published, publishedAt: occurredAt };
};

/** Everything that was published, in order. */
export const publicationsIn = (facts: readonly RecordedEvent[]): readonly RecordedPublication[] =>
  facts.flatMap((record) =>
    record.fact.type === 'ConfigurationPublished' ? [publicationOf({ ...record, fact: record.fact })] : [],
  );
