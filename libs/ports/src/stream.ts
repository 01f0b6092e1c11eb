import type { Instant } from '@laurel/calendar';
import type { Contributions, BoardOutcome, ChainMessage } from '@laurel/kernel';

/**
 * What travels between the processes of the distributed topology. Version of these shapes; a message of a later one stops its partition.
 * 3: leaderboards are sent contributions, not records.
 */
export const STREAM_SCHEMA = 3;

/** A message of a chain topic. */
export type Streamed = StreamedRecord | StreamedContributions | StreamedConfiguration;

/** A record on its way down the chain, with what the areas that have applied it made of it. */
export interface StreamedRecord {
  readonly kind: 'record';
  /** On the wire without the personal fields of its user. */
  readonly message: ChainMessage;
  /**
   * The personal fields under the user's data key, in base64; absent: the record brings none. Only the topic of the log has them:
   * nothing behind the users area reads them.
   */
  readonly sealed?: string;
  /**
   * The offset at which each service of the chain so far has read the record, in the partition of its user: once a service's
   * checkpoint is behind it, what the record changed can be read there.
   */
  readonly trail: readonly number[];
}

/** To the partition of some boards: what a record changes in them. One that changes nothing there is not sent. */
export interface StreamedContributions {
  readonly kind: 'contributions';
  readonly contributions: Contributions;
}

/**
 * News of a published configuration; it goes to every partition of the users' topics, at its place in the log. Who needs the document
 * reads it from the table of publications, where it is before this is sent.
 */
export interface StreamedConfiguration {
  readonly kind: 'configuration';
  readonly account: string;
  readonly version: number;
  readonly publishedAt: Instant;
}

/** A configuration as it was published. */
export type PublishedConfiguration = Omit<StreamedConfiguration, 'kind'> & { readonly document: unknown };

/** A message of the topic of effects: what waiting callers are answered with. One that is lost makes an answer `pending`, nothing more. */
export type EffectMessage = TrunkEffect | BoardsEffect;

/** What the areas of the user made of a record; sent when the last of them has committed it. */
export interface TrunkEffect {
  readonly kind: 'trunk';
  readonly eventId: string;
  /** What the answer shows, the leaderboards aside. Nothing else of the message travels. */
  readonly message: Pick<ChainMessage, 'sections'>;
  readonly trail: readonly number[];
  /** The partitions of leaderboards that the record goes to: a {@link BoardsEffect} will come from each. */
  readonly boards: readonly number[];
}

/** What a record changed in the leaderboards of one partition; sent when that is committed. */
export interface BoardsEffect {
  readonly kind: 'boards';
  readonly eventId: string;
  readonly partition: number;
  readonly outcomes: readonly BoardOutcome[];
}
