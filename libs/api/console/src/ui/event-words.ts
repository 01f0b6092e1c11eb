import type { Schemas } from '../api/client.ts';

type TimelineEvent = Schemas['TimelineEvent'];
type Effect = Schemas['Effect'];

/** An effect in a few words. */
export interface Caused {
  readonly words: string;
  readonly tone?: 'good' | 'bad' | 'accent';
}

/** The title of an event. */
export const titleOf = ({ words, reason }: Pick<TimelineEvent, 'words' | 'reason'>): string =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}${reason ? ` (${reason})` : ''}`;

/** Effects that say more than the event itself. Time awards that fell due together count as one. */
export function causedBy({ effects }: Pick<TimelineEvent, 'effects'>): readonly Caused[] {
  const { users, streaks, achievements, points } = effects;
  const told = [...achievements, ...streaks, ...users.filter(({ type }) => !SAID_BY_EVENT.has(type))];
  return [...told.map(caused), ...dueTogether(points)];
}

const SAID_BY_EVENT: ReadonlySet<string> = new Set(['MetricTotalChanged', 'UserBecameActive']);

const TONES: Readonly<Record<string, Caused['tone']>> = {
  StreakStarted: 'accent',
  StreakExtended: 'accent',
  StreakEnded: 'bad',
  AchievementCompleted: 'good',
  AchievementRevoked: 'bad',
  LevelChanged: 'good',
};

const caused = ({ type, words }: Effect): Caused => ({ words, tone: TONES[type] });

/** The last due award of each system stands for all of them, because it has the total after them. */
function dueTogether(effects: readonly Effect[]): readonly Caused[] {
  const isDue = (effect: Effect) => effect.type === 'PointsAwarded' && effect['due'] === true;
  const due = new Map<unknown, { readonly words: string; readonly count: number }>();
  for (const { system, words } of effects.filter(isDue))
    due.set(system, { words, count: (due.get(system)?.count ?? 0) + 1 });
  const last = [...due.values()].map(({ words, count }) => ({
    words: count === 1 ? words : `${words} (${count} awards fell due)`,
  }));
  return [...last, ...effects.filter((effect) => !isDue(effect)).map(caused)];
}

/** `StreakExtended` as words. */
export const wordsOfName = (type: string): string => {
  const words = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
