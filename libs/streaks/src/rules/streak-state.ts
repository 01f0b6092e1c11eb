import type { Amount } from '@laurel/amounts';
import type { Instant, LocalDate, Zone } from '@laurel/calendar';
import type { StreakDefinition } from '@laurel/contracts';
import type { FreezeAccount } from './freeze-account.ts';

/** What the next record of a user needs to know of their streak (specification, section 4). */
export interface StreakState {
  /** The generation of the definition that `reached`, `progress` and `streak` belong to; 0: none yet. */
  readonly generation: number;
  /** null until the first record of the user. */
  readonly createdAt: Instant | null;
  /** The user's clock, as of the last record. */
  readonly zone: Zone;
  /** The latest instant of the user's metric events; null before the first. */
  readonly latest: Instant | null;
  /** Start of the latest period that an event made current. */
  readonly reached: LocalDate | null;
  /** Sum of values per condition metric in the period `reached`. */
  readonly progress: ReadonlyMap<string, Amount>;
  /** The last streak, alive or not; null if there never was one. */
  readonly streak: Streak | null;
  /** null without freezes configured. */
  readonly freezes: FreezeAccount | null;
}

export interface Streak {
  readonly length: number;
  /** The user's date of the extension that began it. */
  readonly startedOn: LocalDate;
  /** Start of L, the last period that was met or bridged. */
  readonly lastPeriod: LocalDate;
  /** The clock in force when the last met period was met. */
  readonly zoneAtMet: Zone;
  readonly extendedAt: Instant;
  /** True once a record has found that it ended: its length was then announced as 0, and it uses no more freezes. */
  readonly ended: boolean;
}

export const INITIAL_STATE: StreakState = {
  generation: 0,
  createdAt: null,
  zone: 'UTC',
  latest: null,
  reached: null,
  progress: new Map(),
  streak: null,
  freezes: null,
};

/** The state under a definition: a change of `frequency` or `weekStart` starts everyone afresh. Freezes held stay. */
export function inGeneration(state: StreakState, definition: StreakDefinition): StreakState {
  if (state.generation === definition.generation) return state;
  return { ...state, generation: definition.generation, reached: null, progress: new Map(), streak: null };
}

/** The instant that counts: the latest recorded for the user so far, so that a late import revives nothing. */
export function countingInstant(state: StreakState, occurredAt: Instant): Instant {
  return state.latest === null ? occurredAt : Math.max(state.latest, occurredAt);
}
