import { OUTCOMES_TOPIC, TOPICS } from '@laurel/ports';
import type { TopicRetention, TopicSpecification } from '@laurel/event-stream';

/** Effects serve callers who wait for seconds; an instance that takes over reads what came in the last half minute. */
const EFFECTS_RETENTION_MS = 60 * 60_000;

/** Whoever reads outcomes may be away for so long. */
const OUTCOMES_RETENTION_MS = 7 * 24 * 60 * 60_000;

/** Within so much time, and as much again, an erasure has reached what the topic of outcomes holds of a user. */
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

/** All topics. Those of the chain keep everything: a service rebuilds its read models from its input alone. */
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
