import type { CorrectedEventAnswer, LoggedEvent } from '@laurel/schemas';

/** A board that ranks by the sum of a metric: over all time, or day by day. All events count on their date in UTC. */
export interface BoardRequest {
  readonly key: string;
  readonly metric: string;
  /** First date of a daily board. Without it, the board is over all time. */
  readonly daily?: string;
}

export interface RankedUser {
  readonly user: string;
  readonly value: number;
}

/** The change of a user's rank in a run by an event. */
export interface Move {
  readonly board: string;
  /** First date of the run; empty for a board over all time. */
  readonly run: string;
  readonly previousRank: number | null;
  readonly previousValue: number | null;
  readonly rank: number;
  readonly value: number;
  /** The ranking before and after the event, best first. */
  readonly before: readonly RankedUser[];
  readonly after: readonly RankedUser[];
}

interface Counted {
  readonly id: string;
  readonly value: number;
  readonly at: string;
  readonly order: number;
}

interface Place extends RankedUser {
  /** When the value was reached: the instant of the event that was recorded last. */
  readonly at: string;
  readonly order: number;
}

/** Computes rankings from the values of the events alone, by sorting all users anew each time. */
export class RecountedBoards {
  readonly #boards: readonly BoardRequest[];
  /** The counting values by run and user. */
  readonly #counted = new Map<string, Map<string, Counted[]>>();
  readonly #places = new Map<string, Map<string, Place>>();

  constructor(boards: readonly BoardRequest[]) {
    this.#boards = boards;
  }

  /**
   * Counts a metric event. Returns the moves of its user, in the order of the boards. @param order index in the order
   * of recording
   */
  record({ id, userId: user, timestamp: at, details }: LoggedEvent, order: number): readonly Move[] {
    if (user === null) return [];
    return this.#boards.flatMap(({ key: board, metric, daily }): Move[] => {
      if (details['metric'] !== metric || (daily !== undefined && at < daily)) return [];
      const run = daily === undefined ? '' : at.slice(0, 10);
      const before = this.ranked(board, run);
      const name = nameOf(board, run);
      const users = this.#counted.get(name) ?? new Map<string, Counted[]>();
      this.#counted.set(name, users);
      users.set(user, [...(users.get(user) ?? []), { id, value: Number(details['value']), at, order }]);
      this.#place(name, user);
      const after = this.ranked(board, run);
      const [previous, now] = [rankIn(before, user), rankIn(after, user)];
      if (now === null || previous === now) return [];
      const previousValue = previous === null ? null : (before[previous - 1]?.value ?? null);
      const value = after[now - 1]?.value ?? 0;
      return [{ board, run, previousRank: previous, previousValue, rank: now, value, before, after }];
    });
  }

  /** Changes or removes counts of events in runs that are not final. */
  correct(corrections: readonly CorrectedEventAnswer[]): void {
    const corrected = new Map(corrections.map((one) => [one.eventId, one]));
    for (const [name, users] of this.#counted)
      for (const [user, events] of users) {
        if (!events.some(({ id }) => corrected.has(id))) continue;
        const left = events.filter(({ id }) => corrected.get(id)?.retract !== true);
        users.set(
          user,
          left.map((event) => ({ ...event, value: Number(corrected.get(event.id)?.value ?? event.value) })),
        );
        this.#place(name, user);
      }
  }

  /** Users, best first: by value, then by who reached it first, then by the order of recording. */
  ranked(board: string, run: string): readonly RankedUser[] {
    const places = [...(this.#places.get(nameOf(board, run))?.values() ?? [])].filter(({ value }) => value > 0);
    return places.sort(
      (one, other) => other.value - one.value || Date.parse(one.at) - Date.parse(other.at) || one.order - other.order,
    );
  }

  #place(name: string, user: string): void {
    const events = this.#counted.get(name)?.get(user) ?? [];
    const places = this.#places.get(name) ?? new Map<string, Place>();
    this.#places.set(name, places);
    const last = events.at(-1);
    if (last === undefined) places.delete(user);
    else {
      const value = events.reduce((sum, event) => sum + event.value, 0);
      places.set(user, { user, value, at: last.at, order: last.order });
    }
  }
}

const nameOf = (board: string, run: string): string => `${board} ${run}`;

function rankIn(ranked: readonly RankedUser[], user: string): number | null {
  const place = ranked.findIndex((one) => one.user === user);
  return place < 0 ? null : place + 1;
}
