import { formatInstant } from '@laurel/calendar';
import type {
  AchievementsSection,
  ChainMessage,
  CompletedAchievement,
  Configuration,
  Row,
  UserArea,
} from '@laurel/contracts';
import { completeAchievements, type Occasion } from './rules/complete-achievements.ts';
import { COMPLETIONS, COMPLETION_COUNTS } from './tables.ts';

/** The keys of the achievements that the user has completed. */
export type AchievementsState = ReadonlySet<string>;

/** Which achievements a user has completed, and when (specification, section 5). */
export const achievementsArea: UserArea<AchievementsState, AchievementsSection> = {
  name: 'achievements',
  stateVersion: 1,
  tables: [COMPLETIONS, COMPLETION_COUNTS],
  initial: () => NONE,
  project,
  view: () => ({ completed: [] }),
  encode: (state) => [...state],
  decode: decodeCompleted,
};

/** @throws TypeError for what is no list: a text would be taken for its letters. */
function decodeCompleted(json: unknown): AchievementsState {
  if (!Array.isArray(json)) throw new TypeError('the completed achievements are not a list');
  return new Set(json as string[]);
}

const NONE: AchievementsState = new Set();

function project(state: AchievementsState, message: ChainMessage, configuration: Configuration) {
  const occasion = occasionOf(message);
  const completing = occasion ? completeAchievements(state, configuration.achievements, occasion) : [];
  const achievedAt = message.record.occurredAt;
  const completed = completing.map(({ key }): CompletedAchievement => ({ key, achievedAt }));
  return {
    state: completed.length === 0 ? state : new Set([...state, ...completed.map(({ key }) => key)]),
    section: { completed },
    rows: rowsOf(message, completed),
  };
}

/** null: the record is of a kind that completes nothing. */
function occasionOf({ record: { fact }, users, streaks }: ChainMessage): Occasion | null {
  switch (fact.type) {
    case 'MetricEventRecorded':
      return {
        metric: typeof users?.total === 'bigint' ? { key: fact.metric, total: users.total } : null,
        extendedTo: streaks?.extended ? streaks.streak.length : null,
        called: null,
      };
    case 'AchievementCompletedByCall':
      return { metric: null, extendedTo: null, called: fact.achievement };
    case 'UserIdentified':
    case 'UserSwept':
      return null;
  }
}

function rowsOf(
  { record }: ChainMessage,
  completed: readonly CompletedAchievement[],
): ReadonlyMap<string, readonly Row[]> {
  if (completed.length === 0) return new Map();
  const { account, position, fact } = record;
  return new Map<string, readonly Row[]>([
    [
      COMPLETIONS.name,
      completed.map(({ key, achievedAt }) => ({
        account,
        user_id: fact.userId,
        achievement: key,
        achieved_at: formatInstant(achievedAt),
        position,
      })),
    ],
    [COMPLETION_COUNTS.name, completed.map(({ key }) => ({ account, achievement: key, partition: 0, completions: 1 }))],
  ]);
}
