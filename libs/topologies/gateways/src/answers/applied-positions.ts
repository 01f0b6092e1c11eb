import { AREAS, type AreaName } from '@laurel/kernel';
import type { BoardsPlace } from '@laurel/partitioned-boards';
import { USER_SERVICES, pause, type Clock } from '@laurel/ports';

/** The progress of the user services in a partition, at one moment. */
export interface PartitionProgress {
  /** Whether a service has halted: it applies nothing of the partition until it is repaired. */
  readonly isHalted: boolean;
  /** The position of the last record that each service has applied, in the order of `USER_SERVICES`. */
  readonly positions: readonly number[];
  /** The last message number that the last service has sent to each partition of leaderboards. */
  readonly sentToBoards: ReadonlyMap<number, number>;
}

export interface AppliedPositions {
  /** @throws StoreUnavailableError */
  read(partition: number): Promise<PartitionProgress>;
}

export interface AppliedEvent {
  /** The user areas that had not applied the event within the limit, and the areas after them. */
  readonly pending: readonly AreaName[];
  /** null while user areas are pending. */
  readonly boards: BoardsPlace | null;
}

export interface AppliedWaitOptions {
  readonly applied: AppliedPositions;
  readonly clock: Clock;
  /** Called when the progress could not be read; it is retried. */
  readonly onFailure: (error: unknown) => void;
}

const LOOK_AGAIN_MS = 10;
const AFTER_FAILURE_MS = 100;

/** Waits until the user services have committed the record at this position of the log. Never rejects. */
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

/**
 * How far a record is applied. If every user service has applied it, the messages for it are among those that the last
 * service has sent to the boards.
 */
function appliedAt(position: number, source: number, { positions, sentToBoards }: PartitionProgress): AppliedEvent {
  const pending = areasBehind(position, positions);
  return { pending, boards: pending.length === 0 ? { source, sent: sentToBoards } : null };
}

/** The areas of the first user service that has not reached the position, and all later areas; empty if all have reached it. */
export function areasBehind(position: number, positions: PartitionProgress['positions']): readonly AreaName[] {
  const behind = USER_SERVICES.find((_, place) => (positions[place] ?? 0) < position);
  return behind === undefined ? [] : AREAS.slice(AREAS.findIndex((area) => behind.areas.includes(area)));
}
