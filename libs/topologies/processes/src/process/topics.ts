import { OUTCOMES_TOPIC, TOPICS } from '@laurel/ports';
import type { TopicRetention, TopicSpecification } from '@laurel/event-stream';

/**
 * Effects are needed only briefly: for callers, who wait for seconds, and for a new owner of a partition, which reads
 * the last half minute.
 */
const EFFECTS_RETENTION_MS = 60 * 60_000;

/** A reader of outcomes may be away for this time. */
const OUTCOMES_RETENTION_MS = 7 * 24 * 60 * 60_000;

/** After at most twice this time, an erasure has removed the user's outcomes from the topic. */
const OUTCOMES_COMPACTION_LAG_MS = 24 * 60 * 60_000;

export const OUTCOMES_RETENTION: TopicRetention = {
  retentionMs: OUTCOMES_RETENTION_MS,
  compactionLagMs: OUTCOMES_COMPACTION_LAG_MS,
};

const RETENTION: ReadonlyMap<string, TopicRetention> = new Map([
  [TOPICS.effects, { retentionMs: EFFECTS_RETENTION_MS, compactionLagMs: null }],
  [OUTCOMES_TOPIC, OUTCOMES_RETENTION],
]);

const FOR_EVER: TopicRetention = { retentionMs: null, compactionLagMs: null };

/** All topics. Topics of the chain keep everything, because a service rebuilds its read models from its input alone. */
export const topicsFor = ({
  partitions,
  replication,
}: {
  readonly partitions: number;
  readonly replication: number;
}): readonly TopicSpecification[] =>
  [...Object.values(TOPICS), OUTCOMES_TOPIC].map((name) => ({
    name,
    partitions,
    replication,
    ...(RETENTION.get(name) ?? FOR_EVER),
  }));
