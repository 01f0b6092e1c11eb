import {
  EFFECT_COLUMNS,
  areaOf,
  type Effect,
  type Row,
  type Rows,
  type Step,
  type StreakChange,
  type StreaksAnswer,
} from '@laurel/kernel';
import { EFFECTS_TABLE, effectsRow } from '@laurel/ports';
import { streaksMigrations } from './migrations.ts';
import { correctStreaks } from './correct-streaks.ts';
import { STREAK_STATE_VERSION } from './rules/streaks-codec.ts';
import { viewStreak } from './rules/streak-view.ts';
import type { StreaksPlan } from './rules/streaks-plan.ts';
import { streaksRules } from './rules/streaks.ts';
import type { StreaksState } from './rules/streaks-state.ts';
import { STREAK_LENGTH_COUNTS, STREAK_PERIODS, STREAK_TABLES, keptPeriods, lengthRows, periodRows } from './tables.ts';

/** Streaks (specification, section 4). */
export const streaksArea = areaOf<StreaksState, StreaksPlan, StreaksAnswer>({
  name: 'streaks',
  stateVersion: STREAK_STATE_VERSION,
  tables: STREAK_TABLES,
  // No answer shows `held`, and earlier releases did not store it.
  digest: `jsonb_set(streaks - 'held', '{progress}', (
    select coalesce(jsonb_agg(sum order by sum), '[]') from jsonb_array_elements(streaks -> 'progress') sum))`,
  rules: streaksRules,
  needs: ['users'],
  migrations: streaksMigrations,
  readableRows: ['select period_start::text as date from streak_periods order by subject limit 1'],
  answerPart: ({ occasion: { reported, occurredAt }, effects }, { state, plan }) => ({
    ...(reported !== null && streaksRules.isLate?.(state, occurredAt) && { late: true as const }),
    extended: effects.some(({ type }) => type === 'StreakStarted' || type === 'StreakExtended'),
    streak: viewStreak(state, Math.max(state.latest ?? occurredAt, occurredAt), plan),
    changes: effects.flatMap(changesOf),
  }),
  rows: rowsOf,
  correct: correctStreaks,
  view: (state, { at }, plan) => ({ extended: false, streak: viewStreak(state, at, plan), changes: [] }),
});

function changesOf(effect: Effect): readonly StreakChange[] {
  switch (effect.type) {
    case 'StreakStarted':
    case 'StreakExtended':
    case 'StreakRevived':
    case 'StreakRejoined':
      return [{ at: effect.at, length: effect.length }];
    case 'StreakEnded':
      return [{ at: effect.at, length: 0 }];
    default:
      return [];
  }
}

function rowsOf({ occasion, effects, configuration }: Step): Rows {
  const rows = new Map<string, readonly Row[]>();
  const streaks = EFFECT_COLUMNS.streaks.encode(effects, occasion, configuration.names);
  if (streaks === null) return rows;
  const { account, subject } = occasion;
  rows.set(EFFECTS_TABLE, [effectsRow(occasion, { streaks })]);
  const owner = { account, subject, generation: configuration.streak?.generation ?? 0 };
  rows.set(STREAK_PERIODS.name, periodRows(owner, keptPeriods(effects)));
  rows.set(STREAK_LENGTH_COUNTS.name, lengthRows(owner, effects));
  return rows;
}
