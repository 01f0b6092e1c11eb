import { OUTCOMES_TOPIC, TOPICS } from '@laurel/contracts';
import type { TopicSpecification } from '@laurel/event-stream';

/** Effects serve callers who wait for seconds; an instance that takes over reads what came in the last half minute. */
const EFFECTS_RETENTION_MS = 60 * 60_000;

/** Whoever reads outcomes may be away for so long. */
const OUTCOMES_RETENTION_MS = 7 * 24 * 60 * 60_000;

const RETENTION: ReadonlyMap<string, number> = new Map([
  [TOPICS.effects, EFFECTS_RETENTION_MS],
  [OUTCOMES_TOPIC, OUTCOMES_RETENTION_MS],
]);

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
    retentionMs: RETENTION.get(name) ?? null,
  }));
