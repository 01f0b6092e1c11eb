import { AREAS, groupBy, type AnswerParts, type RecordedUserEvent } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { inTime } from '@laurel/processes';
import type { AnsweredEvent } from '@laurel/stored-effects';
import { areasBehind, type AppliedPositions, type Gathered } from '../answers/index.ts';

export interface AppliedOutcomesDependencies {
  readonly positions: AppliedPositions;
  readonly partitionOf: (record: RecordedUserEvent) => number;
  /** The answer parts of applied events, from the tables of the areas. @throws StoreUnavailableError */
  readonly storedAnswers: (account: string, applied: readonly AnsweredEvent[]) => Promise<readonly AnswerParts[]>;
  readonly clock: Clock;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Reads the results of recorded events for which no query gateway answered in time, by event id: the answer parts of areas that have applied
 * them, and the pending areas. The leaderboards are always pending, because only a query gateway knows their results. Empty if the results
 * cannot be read within the limit. Never rejects.
 */
export async function appliedOutcomes(
  dependencies: AppliedOutcomesDependencies,
  records: readonly RecordedUserEvent[],
  limitMs: number,
): Promise<ReadonlyMap<string, Gathered>> {
  const found = read(dependencies, records).catch((error: unknown): readonly Gathered[] => {
    dependencies.onFailure(error);
    return [];
  });
  const inLimit = (await inTime(dependencies.clock, limitMs, found)) ?? [];
  return new Map(inLimit.map((one) => [one.eventId, one]));
}

async function read(
  { positions, partitionOf, storedAnswers }: AppliedOutcomesDependencies,
  records: readonly RecordedUserEvent[],
): Promise<readonly Gathered[]> {
  const progress = new Map(
    await Promise.all(
      [...new Set(records.map(partitionOf))].map(async (partition) => {
        const { positions: reached } = await positions.read(partition);
        return [partition, reached] as const;
      }),
    ),
  );
  const placed = records.map((record) => {
    const behind = areasBehind(record.position, progress.get(partitionOf(record)) ?? []);
    return { record, pending: behind.length === 0 ? (['leaderboards'] as const) : behind };
  });
  const applied = placed.filter(({ pending }) => pending.length < AREAS.length);
  const found = await Promise.all(
    [...groupBy(applied, ({ record }) => record.account)].map(async ([account, some]) => {
      const asked = some.map(({ record, pending }) => ({
        record,
        areas: AREAS.filter((area) => !(pending as readonly string[]).includes(area)),
      }));
      const sections = await storedAnswers(account, asked);
      return some.map(({ record, pending }, place) => ({
        eventId: record.eventId,
        sections: sections[place] ?? {},
        pending,
      }));
    }),
  );
  return found.flat();
}
