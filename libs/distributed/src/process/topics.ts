import { TOPICS } from '@laurel/contracts';
import type { TopicSpecification } from '@laurel/event-stream';

/** Effects serve callers who wait for seconds; an instance that takes over reads what came in the last half minute. */
const EFFECTS_RETENTION_MS = 60 * 60_000;

/** All topics. Those of the chain keep everything: a service rebuilds its read models from its input alone. */
export const topicsFor = ({
  partitions,
  replication,
}: {
  readonly partitions: number;
  readonly replication: number;
}): readonly TopicSpecification[] =>
  Object.values(TOPICS).map((name) => ({
    name,
    partitions,
    replication,
    retentionMs: name === TOPICS.effects ? EFFECTS_RETENTION_MS : null,
  }));
