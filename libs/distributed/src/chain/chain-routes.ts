import type { AppliedRecord, Routed, RoutedEffect, Routes } from '@laurel/engine';
import { isAwaited, type BoardsEffect, type ChainMessage, type TrunkEffect } from '@laurel/contracts';
import { partitionOf } from '@laurel/event-stream';
import { touchedBoards } from '@laurel/leaderboards';

/** On to the next service of the user: the partition stays the same all along. */
export const passOn = (topic: string, partitions: number): Routes => ({
  topic,
  partitions,
  configurationTo: (partition) => [partition],
  record: ({ message, trail, partition }) => [
    { partition, key: keyOf(message), streamed: { kind: 'record', message, trail } },
  ],
  effects: () => [],
});

/** The last service of the user: on to the partitions of the leaderboards that the record touches, and to whoever waits. */
export const fanOut = (topic: string, partitions: number): Routes => ({
  topic,
  partitions,
  // The boards read the document of a version that a record brings.
  configurationTo: () => [],
  record: (applied) => toBoards(applied, partitions),
  effects: (applied) => trunkEffect(applied, boardPartitions(applied, partitions)),
});

/** The end of the chain. @param partitions of the topic of effects */
export const toCallers = (partitions: number): Routes => ({
  topic: null,
  partitions: 0,
  configurationTo: () => [],
  record: () => [],
  effects: (applied) => boardsEffect(applied, partitions),
});

function toBoards(applied: AppliedRecord, partitions: number): readonly Routed[] {
  const { message, trail } = applied;
  const streamed = { kind: 'record', message, trail } as const;
  const key = keyOf(message);
  return boardPartitions(applied, partitions).map((partition) => ({ partition, key, streamed }));
}

/** Asked twice of each record, for its route and for its effect. */
const memory = new WeakMap<object, readonly number[]>();

function boardPartitions({ message, configuration }: AppliedRecord, partitions: number): readonly number[] {
  const known = memory.get(message);
  if (known) return known;
  const boards = touchedBoards(message, configuration);
  const all = [...new Set(boards.map((board) => partitionOf(message.record.account, board, partitions)))];
  all.sort((a, b) => a - b);
  memory.set(message, all);
  return all;
}

function trunkEffect({ message, trail, partition }: AppliedRecord, boards: readonly number[]): readonly RoutedEffect[] {
  if (!isAwaited(message)) return [];
  const { eventId } = message.record;
  const effect: TrunkEffect = { kind: 'trunk', eventId, message, trail, boards };
  return [{ partition, key: keyOf(message), effect }];
}

function boardsEffect({ message, partition }: AppliedRecord, partitions: number): readonly RoutedEffect[] {
  if (!isAwaited(message)) return [];
  const { account, eventId, fact } = message.record;
  const outcomes = message.sections.leaderboards?.boards ?? [];
  const effect: BoardsEffect = { kind: 'boards', eventId, partition, outcomes };
  return [{ partition: partitionOf(account, fact.subject, partitions), key: keyOf(message), effect }];
}

const keyOf = ({ record }: ChainMessage): string => String(record.fact.subject);
