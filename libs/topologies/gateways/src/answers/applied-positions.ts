import { AREAS, type AreaName } from '@laurel/kernel';
import type { BoardsPlace } from '@laurel/partitioned-boards';
import { USER_SERVICES, pause, type Clock } from '@laurel/ports';

/** How far the services of a user have come in a partition, at one moment. */
export interface PartitionProgress {
  /** One of them has: it applies nothing of the partition until it is repaired. */
  readonly isHalted: boolean;
  /** Of the last record of the log that each has applied, in the order of `USER_SERVICES`. */
  readonly positions: readonly number[];
  /** The last number that the last of them has given out to each partition of leaderboards. */
  readonly sentToBoards: ReadonlyMap<number, number>;
}

export interface AppliedPositions {
  /** @throws StoreUnavailableError */
  read(partition: number): Promise<PartitionProgress>;
}

export interface AppliedEvent {
  /** Of the areas of the user: those that had not applied it within the limit, and those behind them. */
  readonly pending: readonly AreaName[];
  /** null while areas of the user are pending. */
  readonly boards: BoardsPlace | null;
}

export interface AppliedWaitOptions {
  readonly applied: AppliedPositions;
  readonly clock: Clock;
  /** The progress could not be read; it is read again. */
  readonly onFailure: (error: unknown) => void;
}

const LOOK_AGAIN_MS = 10;
const AFTER_FAILURE_MS = 100;

/** Waits until the services of a user have committed the record at this position of the log. Never rejects. */
export async function waitUntilApplied(
  { applied, clock, onFailure }: AppliedWaitOptions,
  { partition, position }: { readonly partition: number; readonly position: number },
  limitMs: number,
): Promise<AppliedEvent> {
  const deadlineMs = clock.elapsedMs() + limitMs;
  let known: AppliedEvent = { pending: AREAS, boards: null };
  for (;;) {
    let pauseMs = LOOK_AGAIN_MS;
    try {
      known = appliedAt(position, partition, await applied.read(partition));
      if (known.boards !== null) return known;
    } catch (error) {
      onFailure(error);
      pauseMs = AFTER_FAILURE_MS;
    }
    if (clock.elapsedMs() >= deadlineMs) return known;
    await pause(clock, pauseMs);
  }
}

/** What the last service has given out by then includes what it made of the record. */
function appliedAt(position: number, source: number, { positions, sentToBoards }: PartitionProgress): AppliedEvent {
  const pending = areasBehind(position, positions);
  return { pending, boards: pending.length === 0 ? { source, sent: sentToBoards } : null };
}

/** The areas of the first service of a user that has not come to the position, and those after them; empty: all of them have. */
export function areasBehind(position: number, positions: PartitionProgress['positions']): readonly AreaName[] {
  const behind = USER_SERVICES.find((_, place) => (positions[place] ?? 0) < position);
  return behind === undefined ? [] : AREAS.slice(AREAS.findIndex((area) => behind.areas.includes(area)));
}
