import type { Configuration, LogRecord, StreaksSection, UserArea, UserFact, UserSwept } from '@laurel/contracts';
import { applyRecord } from './rules/apply-record.ts';
import type { MetricValue } from './rules/count-event.ts';
import { readStreak } from './rules/read-streak.ts';
import { streakDueAt } from './rules/streak-due.ts';
import { INITIAL_STATE } from './rules/streak-state.ts';
import type { StreakState } from './rules/streak-state.ts';
import { STREAK_STATE_VERSION, decodeStreakState, encodeStreakState } from './state-codec.ts';
import { STREAK_TABLES, periodRows } from './tables.ts';

/** Streaks (specification, section 4). Reads the user's clock from the section of the users area. */
export const streaksArea: UserArea<StreakState, StreaksSection> = {
  name: 'streaks',
  stateVersion: STREAK_STATE_VERSION,
  tables: STREAK_TABLES,
  initial: () => INITIAL_STATE,
  project(state, { record, users }, configuration) {
    if (users === undefined) throw new Error(`record ${record.position} came without the section of the users area`);
    const { occurredAt, fact } = record;
    const { createdAt, zone } = users;
    const occurrence = { occurredAt, createdAt, zone, event: metricValue(fact) };
    const applied = applyRecord(state, occurrence, configuration.streak);
    return {
      state: applied.state,
      section: {
        extended: applied.extended,
        streak: readStreak(applied.state, applied.instant, configuration.streak),
        changes: applied.changes,
      },
      rows: periodRows(ownerOf(record, configuration), applied.kept),
    };
  },
  view: (state, request, configuration) => ({
    extended: false,
    streak: readStreak(state, request.at, configuration.streak),
    changes: [],
  }),
  dueAt: (state, configuration) =>
    somebodySeesTheEnd(configuration) ? streakDueAt(state, configuration.streak) : null,
  encode: encodeStreakState,
  decode: decodeStreakState,
};

/** The end of a streak is computed on every read of it; it need be recorded only where others see it, or a freeze is used. */
const somebodySeesTheEnd = ({ streak, leaderboards }: Configuration): boolean =>
  (streak?.freezes ?? null) !== null || leaderboards.some(({ rankBy }) => rankBy.type === 'streak');

function metricValue(fact: UserFact | UserSwept): MetricValue | null {
  switch (fact.type) {
    case 'MetricEventRecorded':
      return { metric: fact.metric, value: fact.value };
    case 'UserIdentified':
    case 'AchievementCompletedByCall':
    case 'UserSwept':
      return null;
  }
}

function ownerOf({ account, fact }: LogRecord<UserFact | UserSwept>, { streak }: Configuration) {
  return { account, userId: fact.userId, generation: streak?.generation ?? 0 };
}
