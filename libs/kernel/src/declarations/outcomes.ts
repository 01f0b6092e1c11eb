import {
  achievementFields,
  atRiskFields,
  boostFields,
  finalRunFields,
  place,
  runFields,
  spendFields,
  streakFields,
  user,
} from './outcome-fields.ts';
import type { OutcomeKind } from './outcome-kind.ts';

const AT_RISK = 'A period is not met yet, and it is time to remind the user.';

/**
 * The types of outcomes, by the names under which they are sent (specification, section 9.21). Messages, schemas and stored documents
 * list the types in this order.
 */
export const OUTCOMES = {
  'achievement.completed': {
    means: 'A user completed an achievement.',
    effects: ['AchievementCompleted'],
    inStoredAll: true,
    fields: achievementFields,
  },
  'emails.achievement_due': {
    means: 'A user completed an achievement, and can be told.',
    effects: ['AchievementCompleted'],
    secondNameOf: 'achievement.completed',
    notification: 'achievement_completed',
    fields: achievementFields,
  },
  'streak.started': {
    means: 'A user met the first period of a new streak.',
    effects: ['StreakStarted'],
    inStoredAll: true,
    fields: streakFields,
  },
  'streak.extended': {
    means: 'A user met another period of a streak.',
    effects: ['StreakExtended'],
    inStoredAll: true,
    fields: streakFields,
  },
  'streak.lost': {
    means: 'A streak ended.',
    effects: ['StreakEnded'],
    inStoredAll: true,
    fields: {
      user,
      length: { holds: 'whole', least: 1, prose: 'The length that the streak had.', example: 7 },
      endedAt: { holds: 'instant', prose: 'When it ended.' },
    },
  },
  'streak.freeze_consumed': {
    means: 'Freezes bridged periods that were not met.',
    effects: ['FreezeUsed'],
    inStoredAll: true,
    fields: {
      user,
      consumed: { holds: 'whole', least: 0, prose: 'How many.', example: 1 },
      freezes: {
        holds: 'whole',
        least: 0,
        optional: true,
        prose: 'How many the user holds now; absent if the release that applied the event did not report it.',
      },
    },
  },
  'streak.freeze_earned': {
    means: 'A user earned freezes, or was given some.',
    effects: ['FreezeEarned', 'FreezesGranted'],
    inStoredAll: true,
    fields: {
      user,
      earned: { holds: 'whole', least: 0, prose: 'How many.', example: 1 },
      freezes: { holds: 'whole', least: 0, prose: 'How many the user holds now.', example: 2 },
    },
  },
  'streak.at_risk': {
    means: AT_RISK,
    effects: ['StreakAtRisk'],
    inStoredAll: true,
    setting: 'atRisk',
    notification: 'streak_reminder',
    fields: atRiskFields,
  },
  'emails.streak_reminder_due': {
    means: AT_RISK,
    effects: ['StreakAtRisk'],
    secondNameOf: 'streak.at_risk',
    setting: 'atRisk',
    notification: 'streak_reminder',
    fields: atRiskFields,
  },
  'emails.recap_due': {
    means: 'It is time to tell a user what they did in a week.',
    effects: ['RecapDue'],
    inStoredAll: true,
    setting: 'recap',
    notification: 'recap',
    fields: { user, recap: { holds: 'recap', prose: 'The week.' } },
  },
  'emails.reactivation_due': {
    means: 'Nothing was reported of a user for so many days.',
    effects: ['ReactivationDue'],
    inStoredAll: true,
    setting: 'reactivation',
    notification: 'reactivation',
    fields: { user, reactivation: { holds: 'reactivation', prose: 'Which reminder it is.' } },
  },
  'points.changed': {
    means: 'A user’s total in a points system changed.',
    effects: ['PointsAwarded'],
    inStoredAll: true,
    fields: {
      user,
      points: {
        holds: 'points',
        prose: 'The system, as in the answer to an event. `added` includes time awards that fell due with it.',
      },
    },
  },
  'points.level_changed': {
    means: 'A user’s level in a points system changed.',
    effects: ['LevelChanged'],
    inStoredAll: true,
    fields: {
      user,
      points: { holds: 'points', prose: 'The system, as in `points.changed`.' },
      previousLevel: {
        holds: 'level',
        nullable: true,
        prose: 'Null: below all levels, or a level that no longer exists.',
      },
      newLevel: { holds: 'level', nullable: true, prose: 'Null: below all levels.' },
    },
  },
  'points.spent': {
    means: 'A user spent points.',
    effects: ['RequestAccepted'],
    fields: spendFields,
  },
  'points.boost_started': {
    means: 'A boost of a points system has begun, or a user was given one.',
    event: 'BoostStarted',
    effects: ['BoostGiven'],
    fields: boostFields,
  },
  'points.boost_finished': {
    means: 'A boost has ended: one of a points system, or one that a user was given.',
    event: 'BoostFinished',
    effects: ['BoostEnded'],
    fields: boostFields,
  },
  'leaderboard.started': {
    means: 'A run of a leaderboard has begun.',
    event: 'LeaderboardRunStarted',
    fields: runFields,
  },
  'leaderboard.finished': {
    means: 'A run of a leaderboard has ended in every zone: these are its winners.',
    event: 'LeaderboardRunEnded',
    fields: runFields,
  },
  'leaderboard.rank_changed': {
    means: 'What a user did changed their own rank in a run.',
    effects: ['RankChanged'],
    inStoredAll: true,
    fields: {
      user,
      leaderboard: place,
      previousRank: { holds: 'whole', nullable: true, prose: 'The rank before; null: not ranked.' },
      previousValue: { holds: 'amount', nullable: true, prose: 'The value before; null: none in this run, or 0.' },
    },
  },
  'leaderboard.rank_lost': {
    means: 'Somebody overtook a user within the first ranks of a run.',
    effects: ['RankChanged'],
    inStoredAll: true,
    setting: 'announceTop',
    fields: {
      user,
      leaderboard: place,
      rank: { holds: 'whole', nullable: true, prose: 'The rank after it; null: not ranked any more.', example: 2 },
      previousRank: { holds: 'whole', prose: 'The rank before, at most `outgoing.announceTop`.', example: 1 },
      by: { holds: 'other user', prose: 'The id of the user who overtook them.' },
    },
  },
  'leaderboard.changed': {
    means: 'Somebody moved within the first ranks of a run.',
    effects: ['RankChanged'],
    inStoredAll: true,
    setting: 'announceTop',
    fields: {
      leaderboard: { holds: 'rankings', prose: 'The leaderboard with its first `outgoing.announceTop` rankings.' },
    },
  },
  'user.created': {
    means: 'Something was recorded of a user for the first time.',
    effects: ['UserCreated'],
    inStoredAll: true,
    fields: { user },
  },
  'user.corrected': {
    means: 'Events of a user were corrected. Nothing else is sent of it: read what you keep of the user again.',
    event: 'CorrectionRecorded',
    alwaysMade: true,
    inStoredAll: true,
    fields: { user, corrections: { holds: 'corrections', prose: 'What now counts differently.' }, ...finalRunFields },
  },
  'user.erased': {
    means: 'A user was erased; nobody knows any more who it was.',
    event: 'UserErased',
    alwaysMade: true,
    inStoredAll: true,
    fields: {},
  },
  'configuration.published': {
    means: 'A configuration was published.',
    event: 'ConfigurationPublished',
    inStoredAll: true,
    fields: { version: { holds: 'whole', least: 1, prose: 'The version in force from now on.' } },
  },
  'import.finished': {
    means: 'An import was closed.',
    event: 'ImportClosed',
    inStoredAll: true,
    fields: finalRunFields,
  },
  'endpoint.disabled': {
    means: 'A webhook was disabled, and outcomes wait for it. It is sent to the other webhooks.',
    event: 'WebhookChanged',
    inStoredAll: true,
    fields: {
      endpoint: { holds: 'endpoint', prose: 'The webhook.' },
      reason: {
        holds: 'text',
        nullable: true,
        prose: 'Why the service disabled it; null: it was disabled by hand.',
        example: 'it answered with 410',
      },
      failure: {
        holds: 'failure',
        nullable: true,
        prose: 'The attempt that failed last; null: it was disabled by hand.',
      },
    },
  },
} as const satisfies Readonly<Record<string, OutcomeKind>>;

type Kinds = typeof OUTCOMES;
export type OutcomeType = keyof Kinds;

export type FieldsOf<Type extends OutcomeType> = Kinds[Type]['fields'];

/** The recorded event that makes an outcome of the type; undefined if effects do. */
export type EventOf<Type extends OutcomeType> = Kinds[Type] extends { readonly event: infer Event } ? Event : undefined;

/** A type of outcome for callers that treat all types alike. */
export const outcomeKind = (type: OutcomeType): OutcomeKind => OUTCOMES[type];
