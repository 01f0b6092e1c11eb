import { amountFromNumber } from '@laurel/amounts';
import { dayAt, parseInstant, type Instant, type Zone } from '@laurel/calendar';
import {
  namesWith,
  NO_NAMES,
  type Configuration,
  type Effect,
  type FreezeDefinition,
  type Row,
  type StreakChange,
  type StreakDefinition,
  type StreakView,
  type StreaksAnswer,
  type UserEvent,
  type UserSwept,
} from '@laurel/kernel';
import { appliedBefore, applyMessage } from '@laurel/kernel/fixtures';
import { viewStreak } from '../rules/streak-view.ts';
import type { StoredStreaks } from '../rules/streaks-codec.ts';
import { streaksRules } from '../rules/streaks.ts';
import type { StreaksState } from '../rules/streaks-state.ts';
import { streaksArea } from '../streaks-area.ts';

/** The user of every story. */
export const ADA = 279_199_768_985_790;

export interface DefinitionGiven {
  readonly generation?: number;
  readonly frequency?: StreakDefinition['frequency'];
  readonly weekStart?: StreakDefinition['weekStart'];
  readonly mode?: StreakDefinition['mode'];
  /** Threshold by metric. */
  readonly conditions?: Readonly<Record<string, number>>;
  readonly freezes?: FreezeDefinition | null;
}

export function definitionOf(given: DefinitionGiven = {}): StreakDefinition {
  const { generation = 1, frequency = 'daily', weekStart = 'monday', mode = 'all', freezes = null } = given;
  const conditions = Object.entries(given.conditions ?? { steps: 1 });
  return {
    generation,
    frequency,
    weekStart,
    period: { frequency, weekStart },
    mode,
    conditions: conditions.map(([metric, threshold]) => ({ metric, threshold: amountFromNumber(threshold)! })),
    freezes,
  };
}

const METRICS = ['steps', 'pages', 'other'];

/**
 * A version with this streak, with the metrics of its conditions and a few more.
 * @param atRisk the minute of the day of reminders; null without reminders
 */
export function configurationOf(streak: StreakDefinition | null, atRisk: number | null = null): Configuration {
  const keys = new Set([...METRICS, ...(streak?.conditions ?? []).map(({ metric }) => metric)]);
  const metrics = [...keys].map((key) => ({ id: `metric-${key}`, key, name: key }));
  return {
    account: 'default',
    version: 1,
    metrics,
    metricByKey: new Map(metrics.map((metric) => [metric.key, metric])),
    streak,
    weekStart: streak?.weekStart ?? 'monday',
    achievements: [],
    achievementByKey: new Map(),
    pointsSystems: [],
    pointsSystemByKey: new Map(),
    leaderboards: [],
    leaderboardByKey: new Map(),
    outgoing:
      atRisk === null
        ? null
        : {
            types: new Set(['streak.at_risk'] as const),
            effects: new Set(['StreakAtRisk'] as const),
            awards: null,
            keepMs: 0,
            atRisk,
            recap: null,
            reactivation: null,
            announceTop: 1,
          },
    names: namesWith(NO_NAMES, { metrics, pointsSystems: [], achievements: [], leaderboards: [] }),
  };
}

export function instantOf(text: string): Instant {
  const instant = parseInstant(text);
  if (instant === null) throw new Error(`not an instant: ${text}`);
  return instant;
}

export interface EventGiven {
  readonly metric?: string;
  readonly value?: number;
  readonly tz?: Zone;
}

type AreaState = ReturnType<typeof streaksArea.initial>;

/** Applies one user's records through the area as the engine does, storing and reading the state after each record. */
export class StreakStory {
  definition: StreakDefinition | null;
  zone: Zone;
  stored: unknown = streaksArea.encode(streaksArea.initial());
  /** The state that the last record left, before it was stored. */
  applied: StreaksState;
  readonly rows: Row[] = [];
  readonly changes: StreakChange[] = [];
  #createdAt: Instant | null = null;
  #position = 0;

  constructor(definition: StreakDefinition | null = definitionOf(), zone: Zone = 'UTC') {
    this.definition = definition;
    this.applied = streaksRules.initial(streaksRules.compile(configurationOf(definition)));
    this.zone = zone;
  }

  get state(): AreaState {
    return streaksArea.decode(this.document);
  }

  /** The encoded state. */
  get document(): StoredStreaks {
    return JSON.parse(JSON.stringify(this.stored)) as StoredStreaks;
  }

  event(at: string | Instant, { metric = 'steps', value = 1, tz }: EventGiven = {}): StreaksAnswer {
    const user = tz === undefined ? {} : { tz };
    const common = { subject: ADA, metric, user, attributes: new Map(), keyHash: null, imported: false };
    return this.#record(at, { type: 'MetricEventRecorded', value: amountFromNumber(value)!, ...common }, tz);
  }

  identified(at: string | Instant, tz?: Zone): StreaksAnswer {
    return this.#record(at, { type: 'UserIdentified', subject: ADA, user: tz === undefined ? {} : { tz } }, tz);
  }

  completed(at: string | Instant, tz?: Zone): StreaksAnswer {
    const user = tz === undefined ? {} : { tz };
    return this.#record(at, { type: 'AchievementCompletedByCall', subject: ADA, achievement: 'profile', user }, tz);
  }

  swept(at: string | Instant): StreaksAnswer {
    return this.#record(at, { type: 'UserSwept', subject: ADA, place: 0 });
  }

  read(at: string | Instant): StreakView {
    const plan = streaksRules.compile(configurationOf(this.definition));
    return viewStreak(streaksRules.decode(this.document, plan), instantIn(at), plan);
  }

  /** Lengths by period start, from the rows of the present generation. */
  history(): Record<string, number> {
    const rows = this.rows.filter((row) => row['generation'] === this.definition?.generation);
    return Object.fromEntries(rows.map((row) => [row['period_start'], row['length']]));
  }

  frozen(): unknown[] {
    return this.rows.filter((row) => row['used_freeze']).map((row) => row['period_start']);
  }

  #record(when: string | Instant, fact: UserEvent | UserSwept, tz: Zone = this.zone): StreaksAnswer {
    const occurredAt = instantIn(when);
    const created = this.#createdAt === null;
    const createdAt = (this.#createdAt ??= occurredAt);
    const previousZone = this.zone;
    this.zone = tz;
    const position = ++this.#position;
    const stamp = { eventId: `e${position}`, account: 'default', configurationVersion: 1, recordedAt: occurredAt };
    const user = { createdAt, zone: tz, previousZone, day: dayAt(occurredAt, tz), total: null };
    const effects: readonly Effect[] = created ? [{ type: 'UserCreated', at: occurredAt }] : [];
    const message = appliedBefore('streaks', { ...stamp, position, occurredAt, fact }, user, effects);
    const projected = applyMessage(streaksArea, this.state, message, configurationOf(this.definition));
    this.stored = streaksArea.encode(projected.state);
    this.applied = projected.state.state;
    this.rows.push(...(projected.rows.get('streak_periods') ?? []));
    this.changes.push(...projected.answerPart.changes);
    return projected.answerPart;
  }
}

/** An event at noon of each date. */
export function daily(dates: readonly string[], story = new StreakStory()): StreakStory {
  for (const date of dates) story.event(`${date}T12:00:00Z`);
  return story;
}

function instantIn(at: string | Instant): Instant {
  return typeof at === 'string' ? instantOf(at) : at;
}
