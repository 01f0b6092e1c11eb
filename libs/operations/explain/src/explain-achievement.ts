import { exactOf } from '@laurel/amounts';
import { dayAt, type Instant } from '@laurel/calendar';
import type { AttributeHashes } from '@laurel/profile';
import {
  effectsOfType,
  isActiveAt,
  requiresUser,
  type AchievementDefinition,
  Fold,
  type AchievementMissed,
  type ChainMessage,
  type Configuration,
  type RecordedEvent,
  type UserEvent,
  type UserRef,
} from '@laurel/kernel';
import type { ExplainedAchievement } from '@laurel/ports';
import { recordedUserEventOf } from '@laurel/engine';
import { USER_AREAS } from '@laurel/all-areas';
import type { ExplainerDependencies } from './explainer-dependencies.ts';
import { SilentListener } from './silent-listener.ts';

/** The total and the streak length that an event without effects would find now. */
interface Situation {
  readonly at: Instant;
  /** The user's total of the metric that the achievement counts. */
  readonly total: bigint;
  /** The length of the streak. */
  readonly length: number;
  /** The hashes of the user's attributes. */
  readonly attributeHashes: AttributeHashes;
}

interface CompletionRow {
  readonly position: string;
  readonly achieved_at: Date | null;
}

const COMPLETION = 'select position, achieved_at from achievement_completions where subject = $1 and achievement = $2';

/** @param key an achievement of the version in force */
export async function explainAchievement(
  { sqlOf, log, users, streaks, states, configurations }: ExplainerDependencies,
  { account, subject }: UserRef,
  key: string,
  at: Instant,
): Promise<ExplainedAchievement> {
  const configuration = configurations(account).current;
  const number = configuration.names.achievements.numberOf(key);
  const [row] = await sqlOf('achievements').query<CompletionRow>(COMPLETION, [subject, number]);
  const record = row === undefined ? null : recordedUserEventOf(await recordAt(log, Number(row.position)), subject);
  if (row?.achieved_at && record !== null) return { status: 'completed', at: row.achieved_at.getTime(), record };
  const [state, profile, streak] = await Promise.all([
    states.read(account, subject, 'achievements'),
    users.find(account, subject),
    streaks.view(account, subject, at),
  ]);
  const { trigger } = configuration.achievementByKey.get(key) ?? {};
  const total = trigger?.type === 'metric' ? (profile?.totals.get(trigger.metric.key) ?? 0n) : 0n;
  const attributeHashes = profile?.attributeHashes ?? new Map();
  const situation = { at, total, length: streak.length, attributeHashes };
  return { ...askRules(state, configuration, key, situation), revokedBy: record };
}

async function recordAt(log: ExplainerDependencies['log'], position: number): Promise<RecordedEvent> {
  const [record] = await log.readAt([position]);
  if (record === undefined) throw new Error(`the log has no event at position ${position}`);
  return record;
}

const PLACE = USER_AREAS.findIndex(({ name }) => name === 'achievements');

/**
 * Applies the rules of achievements to an event that adds nothing and could complete this achievement: they either complete it or say
 * what is missing.
 * @param stored the stored state of the achievements area; null if there is none
 */
export function askRules(stored: unknown, configuration: Configuration, key: string, situation: Situation) {
  const area = USER_AREAS[PLACE];
  const achievement = configuration.achievementByKey.get(key);
  if (area === undefined || achievement === undefined) throw new RangeError(`no such achievement: ${key}`);
  const { trigger } = achievement;
  if (trigger.type === 'api')
    return isActiveAt(achievement, situation.at) ? ({ status: 'open', missing: null } as const) : INACTIVE;
  const state = stored === null || stored === undefined ? area.initial() : area.decode(stored);
  const heard = new MissedOf(key);
  const message = messageOf(achievement, configuration, situation);
  const range = { first: PLACE, end: PLACE + 1 };
  const fold = Fold.from(
    USER_AREAS,
    USER_AREAS.map(() => state),
    configuration,
    range,
  );
  const { emitter } = fold.apply(message.record, configuration, { before: message, range, reasons: heard });
  const completed = effectsOfType(emitter.effects, 'AchievementCompleted').some(
    ({ achievement }) => achievement === key,
  );
  if (completed) return { status: 'met' } as const;
  const { missing } = heard;
  switch (missing?.type) {
    case 'window':
      return INACTIVE;
    case 'user':
      return { status: 'user_differs' } as const;
    default:
      return { status: 'open', missing } as const;
  }
}

const INACTIVE = { status: 'inactive' } as const;

/** The message as the earlier areas leave it. */
function messageOf(
  achievement: AchievementDefinition,
  configuration: Configuration,
  situation: Situation,
): ChainMessage {
  const { at, total, length, attributeHashes } = situation;
  const { trigger } = achievement;
  const fact = eventFor(achievement, configuration);
  const metric =
    trigger.type === 'metric' ? configuration.metrics.findIndex(({ key }) => key === trigger.metric.key) : -1;
  const { account, version: configurationVersion } = configuration;
  const day = dayAt(at, 'UTC');
  return {
    record: { account, configurationVersion, eventId: '', position: 0, occurredAt: at, recordedAt: at, fact },
    areas: ['users', 'streaks'],
    user: {
      createdAt: at,
      zone: 'UTC',
      previousZone: 'UTC',
      day,
      total: fact.type === 'MetricEventRecorded' ? exactOf(total) : null,
      attributeHashes,
      totals: new Map([[metric, exactOf(total)]]),
      streakLength: length,
    },
    // Without a streak the length is 0, and the rules say what is missing.
    effects: [{ type: 'StreakExtended', at, length, period: day }],
    sections: {},
  };
}

/** An event that adds nothing, but makes the rules look at the achievement. */
function eventFor({ trigger, where }: AchievementDefinition, { metrics }: Configuration): UserEvent {
  const metric = trigger.type === 'metric' ? trigger.metric.key : metrics[0]?.key;
  const of = { subject: 0, user: {} };
  if (requiresUser(where)) return { type: 'UserIdentified', ...of };
  if (trigger.type === 'achievement' || metric === undefined)
    return { type: 'AchievementCompletedByCall', ...of, achievement: '' };
  const value = { metric, value: 0n, attributes: new Map(), keyHash: null, imported: false };
  return { type: 'MetricEventRecorded', ...of, ...value };
}

/** Collects what is missing for one achievement. */
class MissedOf extends SilentListener {
  readonly #key: string;
  missing: AchievementMissed['missing'] | null = null;

  constructor(key: string) {
    super();
    this.#key = key;
  }

  override achievementMissed({ achievement, missing }: AchievementMissed): void {
    if (achievement === this.#key) this.missing = missing;
  }
}
