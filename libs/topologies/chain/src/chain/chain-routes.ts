import type { AppliedContributions, AppliedRecord, Routed, RoutedEffect, Routes } from '@laurel/engine';
import { isAwaited, type ChainMessage, type Configuration, type Contributions, type Subject } from '@laurel/kernel';
import type { BoardsEffect, UserPart } from '@laurel/ports';
import { partitionOf } from '@laurel/event-stream';
import { contributionsByPartition } from '@laurel/contributions';

/** Routes records to the next service of the user, in the same partition. */
export const passOn = (topic: string, partitions: number): Routes => ({
  topic,
  partitions,
  configurationTo: (partition) => [partition],
  record: ({ message, trail: offsets, partition }) => [
    { partition, key: keyOf(message.record.fact.subject), streamed: { kind: 'record', message, trail: offsets } },
  ],
  effects: () => [],
});

/** The routes of the last user service: contributions to the partitions of the leaderboards, and the results to waiting callers. */
export const fanOut = (topic: string, partitions: number): Routes => ({
  topic,
  partitions,
  // Contributions carry their version, so the boards read the configuration themselves.
  configurationTo: () => [],
  record: (applied) => toBoards(applied, partitions),
  effects: (applied) => ('message' in applied ? userPart(applied, partitions) : []),
});

/** The routes at the end of the chain. @param partitions of the topic of effects */
export const toCallers = (partitions: number): Routes => ({
  topic: null,
  partitions: 0,
  configurationTo: () => [],
  record: () => [],
  effects: (applied) => ('outcomes' in applied ? boardsEffect(applied, partitions) : []),
});

/** The contributions of a record to the boards of one of the partitions, possibly none. */
export function contributionsTo(
  partition: number,
  partitions: number,
  message: ChainMessage,
  configuration: Configuration,
): Contributions {
  const there = routedContributions({ message, configuration }, partitions).get(partition);
  if (there) return there;
  const { account, configurationVersion, position, eventId, fact } = message.record;
  const answer = isAwaited(message) ? { eventId, day: message.user?.day ?? 0 } : null;
  return { account, configurationVersion, subject: fact.subject, position, recordedAt: null, changes: [], answer };
}

function toBoards(applied: AppliedRecord, partitions: number): readonly Routed[] {
  const key = keyOf(applied.message.record.fact.subject);
  return [...routedContributions(applied, partitions)].map(([partition, contributions]) => ({
    partition,
    key,
    streamed: { kind: 'contributions', contributions },
  }));
}

/** Each record is routed twice, for its contributions and for its effect. */
const memory = new WeakMap<ChainMessage, ReadonlyMap<number, Contributions>>();

function routedContributions(
  { message, configuration }: Pick<AppliedRecord, 'message' | 'configuration'>,
  partitions: number,
): ReadonlyMap<number, Contributions> {
  const known = memory.get(message);
  if (known) return known;
  const { account } = message.record;
  const routed = contributionsByPartition(message, configuration, (board) => partitionOf(account, board, partitions));
  memory.set(message, routed);
  return routed;
}

function userPart(applied: AppliedRecord, partitions: number): readonly RoutedEffect[] {
  const { message, trail: offsets, partition } = applied;
  if (!isAwaited(message)) return [];
  const { eventId, fact } = message.record;
  const boards = [...routedContributions(applied, partitions).keys()];
  const effect: UserPart = { kind: 'trunk', eventId, message, trail: offsets, boards };
  return [{ partition, key: keyOf(fact.subject), effect }];
}

function boardsEffect(
  { contributions, outcomes, partition }: AppliedContributions,
  partitions: number,
): readonly RoutedEffect[] {
  const { account, subject, answer } = contributions;
  if (answer === null) return [];
  const effect: BoardsEffect = { kind: 'boards', eventId: answer.eventId, partition, outcomes };
  return [{ partition: partitionOf(account, subject, partitions), key: keyOf(subject), effect }];
}

const keyOf = (subject: Subject): string => String(subject);
