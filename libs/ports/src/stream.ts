import type { Instant } from '@laurel/calendar';
import type { Contributions, BoardOutcome, ChainMessage } from '@laurel/kernel';

/**
 * Version of the messages between the processes of the distributed topology. A message of a later version stops its partition. Since 3,
 * leaderboards receive contributions instead of records.
 */
export const STREAM_SCHEMA = 3;

/** A message of a chain topic. */
export type Streamed = StreamedRecord | StreamedContributions | StreamedConfiguration;

/** A record on its way down the chain, with the results of the areas that have applied it. */
export interface StreamedRecord {
  readonly kind: 'record';
  /** When the record is sent, the message lacks the personal fields of its user. */
  readonly message: ChainMessage;
  /**
   * The personal fields, sealed under the user's data key, in base64; absent if the record has none. Only the topic of the log carries
   * them, because no area behind the users area reads them.
   */
  readonly sealed?: string;
  /**
   * The offset at which each service of the chain so far has read the record, in its user's partition. Once a service's
   * checkpoint is after its offset, the service shows the changes of the record.
   */
  readonly trail: readonly number[];
}

/** The changes of a record in the boards of one partition. Not sent if there are none. */
export interface StreamedContributions {
  readonly kind: 'contributions';
  readonly contributions: Contributions;
}

/**
 * Announces a published configuration in every partition of the users' topics, at its position in the log. The document is in the table of
 * publications before this is sent.
 */
export interface StreamedConfiguration {
  readonly kind: 'configuration';
  readonly account: string;
  readonly version: number;
  readonly publishedAt: Instant;
}

/** A published configuration with its document. */
export type PublishedConfiguration = Omit<StreamedConfiguration, 'kind'> & { readonly document: unknown };

/** A message of the topic of effects, for the answers to waiting callers. Losing one only makes an answer `pending`. */
export type EffectMessage = UserPart | BoardsEffect;

/** The results of the user's areas for a record; sent when the last of them has committed it. */
export interface UserPart {
  readonly kind: 'trunk';
  readonly eventId: string;
  /** The answer parts, without leaderboards. Nothing else of the message is sent. */
  readonly message: Pick<ChainMessage, 'sections'>;
  readonly trail: readonly number[];
  /** The partitions of leaderboards that receive the record: each sends a {@link BoardsEffect}. */
  readonly boards: readonly number[];
}

/** The changes of a record in the leaderboards of one partition; sent when they are committed. */
export interface BoardsEffect {
  readonly kind: 'boards';
  readonly eventId: string;
  readonly partition: number;
  readonly outcomes: readonly BoardOutcome[];
}
