import { exactOf } from '@laurel/amounts';
import { dayAt, type Instant } from '@laurel/calendar';
import {
  effectsOfType,
  Fold,
  type AchievementMissed,
  type ChainMessage,
  type Configuration,
  type ConfigurationHistory,
  type LogRecord,
  type Reasons,
  type StateReader,
  type UserFact,
  type UserRef,
} from '@laurel/kernel';
import type { ExplainedAchievement } from '@laurel/ports';
import { userRecordOf } from '@laurel/engine';
import type { EventLookup } from '@laurel/event-store';
import type { StreakQueries } from '@laurel/streaks';
import type { UserQueries } from '@laurel/users';
import { USER_AREAS } from '@laurel/all-areas';
import type { SqlOfArea } from '@laurel/stored-effects';

export interface AchievementParts {
  readonly sqlOf: SqlOfArea;
  readonly log: Pick<EventLookup, 'readAt'>;
  readonly users: Pick<UserQueries, 'find'>;
  readonly streaks: Pick<StreakQueries, 'view'>;
  readonly states: Pick<StateReader, 'read'>;
  readonly configurations: (account: string) => ConfigurationHistory;
}

/** What the event would find that could complete the achievement, if it came now and added nothing. */
interface Situation {
  readonly at: Instant;
  /** The user's total of the metric that the achievement counts. */
  readonly total: bigint;
  /** The length of the streak. */
  readonly length: number;
}

interface CompletionRow {
  readonly position: string;
  readonly achieved_at: Date | null;
}

const COMPLETION = 'select position, achieved_at from achievement_completions where subject = $1 and achievement = $2';

/** @param key of an achievement of the version in force */
export async function explainAchievement(
  { sqlOf, log, users, streaks, states, configurations }: AchievementParts,
  { account, subject }: UserRef,
  key: string,
  at: Instant,
): Promise<ExplainedAchievement> {
  const configuration = configurations(account).current;
  const number = configuration.names.achievements.numberOf(key);
  const [row] = await sqlOf('achievements').query<CompletionRow>(COMPLETION, [subject, number]);
  const record = row === undefined ? null : userRecordOf(await recordAt(log, Number(row.position)), subject);
  if (row?.achieved_at && record !== null) return { status: 'completed', at: row.achieved_at.getTime(), record };
  const [state, profile, streak] = await Promise.all([
    states.read(account, subject, 'achievements'),
    users.find(account, subject),
    streaks.view(account, subject, at),
  ]);
  const { trigger } = configuration.achievementByKey.get(key) ?? {};
  const total = trigger?.type === 'metric' ? (profile?.totals.get(trigger.metric.key) ?? 0n) : 0n;
  return { ...askRules(state, configuration, key, { at, total, length: streak.length }), revokedBy: record };
}

async function recordAt(log: AchievementParts['log'], position: number): Promise<LogRecord> {
  const [record] = await log.readAt([position]);
  if (record === undefined) throw new Error(`the log has no event at position ${position}`);
  return record;
}

/** What the rules say of an achievement that is not complete. */
export type Asked =
  { readonly status: 'met' } | { readonly status: 'open'; readonly missing: AchievementMissed['missing'] | null };

const PLACE = USER_AREAS.findIndex(({ name }) => name === 'achievements');

/**
 * The rules of achievements, asked with an event that could complete this one and adds nothing: they say what is missing, or they
 * complete it.
 * @param stored the state of the achievements area as it is stored; null: none
 */
export function askRules(stored: unknown, configuration: Configuration, key: string, situation: Situation): Asked {
  const area = USER_AREAS[PLACE];
  const trigger = configuration.achievementByKey.get(key)?.trigger;
  if (area === undefined || trigger === undefined) throw new RangeError(`no such achievement: ${key}`);
  if (trigger.type === 'api') return { status: 'open', missing: null };
  const state = stored === null || stored === undefined ? area.initial() : area.decode(stored);
  const metric = trigger.type === 'metric' ? trigger.metric.key : configuration.metrics[0]?.key;
  const heard = new MissedOf(key);
  const message = messageOf(trigger.type === 'achievement' ? null : (metric ?? null), configuration, situation);
  const span = { first: PLACE, end: PLACE + 1 };
  const fold = Fold.from(
    USER_AREAS,
    USER_AREAS.map(() => state),
    configuration,
    span,
  );
  const { sink } = fold.apply(message, configuration, { span, reasons: heard });
  const completed = effectsOfType(sink.effects, 'AchievementCompleted').some(({ achievement }) => achievement === key);
  return completed ? { status: 'met' } : { status: 'open', missing: heard.missing };
}

/** As the areas before leave it. @param metric null: a call that completes nothing itself, after which others are looked at */
function messageOf(
  metric: string | null,
  configuration: Configuration,
  { at, total, length }: Situation,
): ChainMessage {
  const fact: UserFact =
    metric === null
      ? { type: 'AchievementCompletedByCall', subject: 0, achievement: '', user: {} }
      : {
          type: 'MetricEventRecorded',
          subject: 0,
          metric,
          value: 0n,
          user: {},
          attributes: new Map(),
          keyHash: null,
          imported: false,
        };
  const { account, version: configurationVersion } = configuration;
  const day = dayAt(at, 'UTC');
  return {
    record: { account, configurationVersion, eventId: '', position: 0, occurredAt: at, recordedAt: at, fact },
    areas: ['users', 'streaks'],
    user: { createdAt: at, zone: 'UTC', previousZone: 'UTC', day, total: metric === null ? null : exactOf(total) },
    // Also where no streak is alive: its length is 0 then, and the rules say what is missing.
    effects: [{ type: 'StreakExtended', at, length, period: day }],
    sections: {},
  };
}

/** Hears what one achievement lacks. */
class MissedOf implements Reasons {
  readonly #key: string;
  missing: AchievementMissed['missing'] | null = null;

  constructor(key: string) {
    this.#key = key;
  }

  achievementMissed({ achievement, missing }: AchievementMissed): void {
    if (achievement === this.#key) this.missing = missing;
  }
  triggerFired(): void {}
  triggerMissed(): void {}
  triggerPassedOver(): void {}
  conditionChecked(): void {}
}
