import type { Exact } from '@laurel/amounts';
import type { Day, Instant, Zone } from '@laurel/calendar';
import type { ExcusedDays, FrozenPeriod, Lapse } from './excused-days.ts';
import type { FreezeAccount } from './freeze-account.ts';
import type { Streak } from './streak-end.ts';
import type { StreaksPlan } from './streaks-plan.ts';

/** The state of a user's streak (specification, section 4). */
export interface StreaksState {
  /**
   * The generation of the definition to which `reached`, `progress` and the streak belong; 0 before the first event.
   */
  generation: number;
  /** null until the first event of the user. */
  createdAt: Instant | null;
  /** The user's clock as of the last event. */
  zone: Zone;
  /** The latest instant of the user's metric events; null before the first. */
  latest: Instant | null;
  /** First day of the latest period that an event made current. */
  reached: Day | null;
  /** Sums of values in the period `reached`, by index in the plan's `metrics`. */
  progress: (Exact | undefined)[];
  /** Sums of metrics without a condition in this plan, by key. */
  otherProgress: ReadonlyMap<string, Exact>;
  /** The last streak, alive or ended; null if there never was one. */
  streak: Streak | null;
  /** null without freezes configured. */
  freezes: FreezeAccount | null;
  /** Freezes held as of the last event, including those earned by then. */
  held: number;
  /** The newest ranges of dates that were excused by hand, in order, without overlaps. */
  excused: readonly ExcusedDays[];
  /** Earlier streaks that excused days may join to the present one, oldest first. */
  lapses: readonly Lapse[];
  /** The last periods that used a freeze, oldest first. Excusing such a period returns its freeze. */
  frozen: readonly FrozenPeriod[];
  /** The unmet period for which a reminder fell due; null if there is none, or if the period is over. */
  reminded: Day | null;
}

export const NO_PROGRESS: ReadonlyMap<string, Exact> = new Map();

export const initialStreaks = ({ rules }: StreaksPlan): StreaksState => ({
  generation: 0,
  createdAt: null,
  zone: 'UTC',
  latest: null,
  reached: null,
  progress: rules?.metrics.map(() => undefined) ?? [],
  otherProgress: NO_PROGRESS,
  streak: null,
  freezes: null,
  held: 0,
  excused: [],
  lapses: [],
  frozen: [],
  reminded: null,
});

/** A copy whose fields and progress may be replaced. */
export const copyOf = (state: StreaksState): StreaksState => ({
  generation: state.generation,
  createdAt: state.createdAt,
  zone: state.zone,
  latest: state.latest,
  reached: state.reached,
  progress: state.progress.slice(),
  otherProgress: state.otherProgress,
  streak: state.streak,
  freezes: state.freezes,
  held: state.held,
  excused: state.excused,
  lapses: state.lapses,
  frozen: state.frozen,
  reminded: state.reminded,
});
