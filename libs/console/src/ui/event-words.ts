import type { Schemas } from '../api/client.ts';
import { change, counted } from './format.ts';

type TimelineEvent = Schemas['TimelineEvent'];

/** What an event caused, in as few words as say it. */
export interface Caused {
  readonly words: string;
  readonly tone?: 'good' | 'bad' | 'accent';
}

/** An event of a timeline, or one that was asked for by its id. */
type Titled = Pick<TimelineEvent, 'achievement' | 'grant' | 'reason'> & {
  readonly type: string;
  readonly metric?: string | null;
  readonly value?: number | null;
};

export function titleOf({ type, metric, value, achievement, grant, reason }: Titled): string {
  switch (type) {
    case 'MetricEventRecorded':
      return `${metric ?? ''} ${change(value ?? 0)}`;
    case 'UserIdentified':
      return 'Profile changed';
    case 'AchievementCompletedByCall':
      return `Achievement ${achievement ?? ''} reported`;
    case 'GrantRecorded':
      return `Granted by hand: ${grant?.kind ?? ''}${reason ? ` (${reason})` : ''}`;
    case 'CorrectionRecorded':
      return `Events corrected${reason ? ` (${reason})` : ''}`;
    case 'UserErased':
      return 'User erased';
    case 'UsersSwept':
      return 'Time passed';
    default:
      return wordsOfName(type);
  }
}

/** The effects that say something beside the event itself. Time awards that fell due together are one. */
export function causedBy({ effects }: Pick<TimelineEvent, 'effects'>): readonly Caused[] {
  const { users, streaks, achievements, points } = effects;
  return [
    ...achievements.flatMap(causedOne),
    ...streaks.flatMap(causedOne),
    ...users.flatMap(causedOne),
    ...pointsOf(points),
  ];
}

type Fields = Readonly<Record<string, unknown>> & { readonly type: string };

function causedOne(effect: Fields): readonly Caused[] {
  const text = (name: string): string => String(effect[name] ?? '');
  switch (effect.type) {
    case 'MetricTotalChanged':
    case 'UserBecameActive':
      return [];
    case 'StreakStarted':
    case 'StreakExtended':
      return [{ words: `streak ${text('length')}`, tone: 'accent' }];
    case 'AchievementCompleted':
      return [{ words: `completed ${text('achievement')}`, tone: 'good' }];
    case 'AchievementRevoked':
      return [{ words: `lost ${text('achievement')}`, tone: 'bad' }];
    case 'StreakEnded':
      return [{ words: `streak of ${text('length')} ended`, tone: 'bad' }];
    case 'ZoneChanged':
      return [{ words: `zone ${text('from')} → ${text('to')}` }];
    default: {
      const about = ['achievement', 'earned', 'granted'].filter((name) => (effect[name] ?? null) !== null);
      return [{ words: [wordsOfName(effect.type).toLowerCase(), ...about.map(text)].join(' ') }];
    }
  }
}

function pointsOf(effects: readonly Fields[]): readonly Caused[] {
  const changes = new Map<string, { system: string; due: boolean; sum: number; count: number }>();
  const others: Caused[] = [];
  for (const effect of effects) {
    if (effect.type !== 'PointsAwarded') {
      others.push(levelWords(effect));
      continue;
    }
    const [system, due] = [String(effect['system']), effect['due'] === true];
    const key = `${system} ${String(due)}`;
    const known = changes.get(key) ?? { system, due, sum: 0, count: 0 };
    changes.set(key, { ...known, sum: known.sum + Number(effect['awarded']), count: known.count + 1 });
  }
  const sums = [...changes.values()].map(({ system, due, sum, count }) => {
    const words = `${change(sum)} ${system}`;
    return { words: due ? `${words} over time${count > 1 ? `, ${counted(count, 'award')}` : ''}` : words };
  });
  return [...others, ...sums];
}

function levelWords({ type, system, to }: Fields): Caused {
  if (type !== 'LevelChanged') return { words: wordsOfName(type).toLowerCase() };
  return {
    words: (to ?? null) === null ? `below all levels of ${String(system)}` : `level ${String(to)}`,
    tone: 'good',
  };
}

/** `StreakExtended` as words. */
export const wordsOfName = (type: string): string => {
  const words = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
