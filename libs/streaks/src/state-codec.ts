import { formatAmount, parseAmount } from '@laurel/amounts';
import type { StreakState } from './rules/streak-state.ts';

/** The stored form, version 1: amounts as decimal strings, the progress as pairs. */
interface StoredState extends Omit<StreakState, 'progress'> {
  readonly progress: readonly (readonly [metric: string, sum: string])[];
}

export const STREAK_STATE_VERSION = 1;

export function encodeStreakState(state: StreakState): unknown {
  const progress = [...state.progress].map(([metric, sum]) => [metric, formatAmount(sum)] as const);
  return { ...state, progress } satisfies StoredState;
}

/** Reads what {@link encodeStreakState} wrote. */
export function decodeStreakState(json: unknown): StreakState {
  const stored = json as StoredState;
  return { ...stored, progress: new Map(stored.progress.map(([metric, sum]) => [metric, parseAmount(sum)] as const)) };
}
