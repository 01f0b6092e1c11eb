import { formatAmount, parseAmount } from '@laurel/amounts';
import type { Streak, StreakState } from './rules/streak-state.ts';

/** The stored form, version 1: amounts as decimal strings, the progress as pairs. */
interface StoredState extends Omit<StreakState, 'progress'> {
  readonly progress: readonly (readonly [metric: string, sum: string])[];
  readonly streak: Streak | null;
}

export const STREAK_STATE_VERSION = 1;

export function encodeStreakState(state: StreakState): unknown {
  const progress = [...state.progress].map(([metric, sum]) => [metric, formatAmount(sum)] as const);
  return { ...state, progress } satisfies StoredState;
}

/** Reads what {@link encodeStreakState} wrote. */
export function decodeStreakState(json: unknown): StreakState {
  const { generation, zone, latest, reached, progress, streak } = json as StoredState;
  const sums = new Map(progress.map(([metric, sum]) => [metric, parseAmount(sum)] as const));
  return { generation, zone, latest, reached, progress: sums, streak };
}
