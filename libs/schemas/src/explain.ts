import {
  CORRECTION_TRIGGER,
  GRANT_TRIGGER,
  TRIGGER_MISSES,
  type TriggerMiss,
  POINTS_TRIGGER_TYPES,
} from '@laurel/kernel';
import { z } from 'zod';
import { pointsSystemFields } from './points-system-key.ts';
import { actor } from './attribution.ts';
import { corrected } from './corrections.ts';
import {
  date,
  instant,
  jsonNumber,
  jsonWhole,
  nextCursor,
  nullableText,
  userIdUnlessErased,
  uuid,
  whole,
} from './fields.ts';
import { trigger } from './points.ts';
import { named } from './named-object.ts';

export const version = whole.meta({
  description: 'The configuration version under which the event was applied.',
  examples: [1],
});

/** The types of the events that concern a user. */
export const USER_EVENT_TYPES = [
  'MetricEventRecorded',
  'UserIdentified',
  'AchievementCompletedByCall',
  'GrantRecorded',
  'CorrectionRecorded',
  'UserErased',
  'UsersSwept',
] as const;

/** The event that caused something, in short. */
export const causingEvent = named('CausingEvent', 'A recorded event that concerns the user.', {
  id: uuid.meta({ description: 'The event’s id. `/admin/v1/events/{eventId}` shows everything that it caused.' }),
  type: z
    .enum(USER_EVENT_TYPES)
    .meta({ description: 'The type of the recorded event. `UsersSwept`: only time had passed.' }),
  metric: z
    .string()
    .optional()
    .meta({ description: 'Of a metric event: the metric’s key.', examples: ['lessons'] }),
  value: jsonNumber.optional().meta({ description: 'Of a metric event: its value.', examples: [3] }),
  by: actor.optional().meta({ description: 'Of a grant or a correction: who did it.' }),
  reason: nullableText.optional().meta({ description: 'Of a grant or a correction: why.' }),
  recordedAt: instant.meta({
    description: 'When it was recorded; for an imported event, this may be long after its instant.',
  }),
});
export type CausingEvent = z.infer<typeof causingEvent>;

const explainedAward = named('ExplainedAward', 'A trigger that fired, and what it gave.', {
  at: instant.meta({ description: 'Instant of the event, or at which the time award fell due.' }),
  date: date.meta({ description: 'The date of `at` on the user’s clock then in force.' }),
  zone: z.string().meta({ description: 'The time zone of that clock.', examples: ['Europe/Berlin'] }),
  event: causingEvent.meta({ description: 'The event, or the sweep, with which it was recorded.' }),
  type: z
    .enum([...POINTS_TRIGGER_TYPES, GRANT_TRIGGER, CORRECTION_TRIGGER])
    .nullable()
    .meta({ description: 'What gave the points: a trigger of this type, or a grant.' }),
  trigger: trigger
    .nullable()
    .meta({ description: 'The trigger that fired, even if it has been removed since; null: it was a grant.' }),
  times: jsonWhole.nullable().meta({ description: 'How often it fired; null: see `complete`.', examples: [2] }),
  nominal: jsonWhole.nullable().meta({
    description: '`times` × the trigger’s points: what it would have given; null: see `complete`.',
    examples: [20],
  }),
  change: jsonWhole.meta({ description: 'Points given; negative: points taken.', examples: [15] }),
  cutBy: z.enum(['cap', 'zero']).nullable().meta({
    description: 'What cut `nominal` to `change`: `maxPoints`, or that no total is below zero. null: nothing.',
  }),
  total: jsonWhole.meta({ description: 'The user’s total after it.', examples: [340] }),
  version,
});
export type ExplainedAwardAnswer = z.infer<typeof explainedAward>;

const preparing = z.boolean().meta({
  description:
    'The user’s events are being applied in the background: ask again, and `complete` is true. false: it is complete, or never will be: the user has more than 250,000 events, or corrections that ask for too many of them again (specification, 9.17).',
  examples: [false],
});

/** `GET /admin/v1/users/{id}/explain/points/{key}`. */
export const explainedPoints = named('ExplainedPoints', 'Why a user has so many points.', {
  ...pointsSystemFields,
  total: jsonWhole.meta({ description: 'The user’s total as of now: `recorded` + `due`.', examples: [340] }),
  recorded: jsonWhole.meta({ description: 'The sum of the changes of all entries, on all pages.', examples: [340] }),
  due: jsonWhole.meta({
    description: 'Time awards that have fallen due and are not recorded yet: the next event or sweep records them.',
    examples: [0],
  }),
  complete: z.boolean().meta({
    description:
      'true: the user’s events were applied again, and every firing is an entry, also one that gave nothing. false: the user has more than 500 events, or 5,000 effects on points, and they are not applied yet; entries are stored awards, and `times`, `nominal` and `cutBy` are null.',
  }),
  preparing,
  entries: z
    .array(explainedAward)
    .meta({ description: 'Newest first. There may be fewer than `limit`: only `next` says whether others follow.' }),
  next: nextCursor,
});
export type ExplainedPointsAnswer = z.infer<typeof explainedPoints>;

const missedTrigger = named('MissedTrigger', 'A trigger that gave nothing with an event, and why.', {
  trigger: trigger.nullable().meta({ description: 'The trigger, even if it has been removed since.' }),
  why: z.enum(Object.keys(TRIGGER_MISSES) as TriggerMiss[]).meta({
    description: Object.entries(TRIGGER_MISSES)
      .map(([reason, { means }]) => `\`${reason}\`: ${means}.`)
      .join(' '),
  }),
  missing: jsonNumber.nullable().meta({
    description:
      'Of `below_threshold` how much of the metric, of `streak_length` how many periods are missing; null: of others.',
    examples: [2],
  }),
});

/** `GET /admin/v1/users/{id}/explain/points/{key}/events/{eventId}`. */
export const explainedPointsOfEvent = named(
  'ExplainedPointsOfEvent',
  'Why an event gave a user so many points, or none.',
  {
    ...pointsSystemFields,
    event: causingEvent,
    version,
    complete: z.boolean().meta({
      description:
        'true: the user’s events were applied again. false: the user has many events, and they are not applied yet; `fired` are stored awards, and `missed` is null.',
    }),
    preparing,
    change: jsonWhole.meta({ description: 'What the event gave: the sum of `fired`.', examples: [0] }),
    fired: z
      .array(explainedAward)
      .meta({ description: 'Triggers that fired, in their order, including those cut to nothing.' }),
    missed: z
      .array(missedTrigger)
      .nullable()
      .meta({ description: 'Triggers of that version that did not fire; null: see `complete`.' }),
  },
);
export type ExplainedPointsOfEventAnswer = z.infer<typeof explainedPointsOfEvent>;

const explainedPeriod = named('ExplainedPeriod', 'A period of a streak, and how far the user came in it.', {
  periodStart: date.meta({ description: 'First date.' }),
  periodEnd: date.meta({ description: 'Last date.' }),
  status: z.enum(['met', 'bridged', 'skipped', 'excused', 'missed', 'open']).meta({
    description:
      '`bridged`: a freeze was used. `skipped`: a change of the user’s time zone skipped it, or cut it short, so it counts as kept. `excused`: by hand, so it counts as kept. `open`: it is the current one, and not met yet.',
  }),
  length: whole.meta({ description: 'The streak’s length as of it; 0 unless it was kept.', examples: [4] }),
  at: instant
    .nullable()
    .meta({ description: 'When it was met, or the freeze was used; null: neither, or see `complete`.' }),
  eventId: uuid
    .nullable()
    .meta({ description: 'The event that met it, and so extended the streak; null: none did, or see `complete`.' }),
  conditions: z
    .array(
      z.object({
        metric: z.string().meta({ description: 'Key of the metric.', examples: ['lessons'] }),
        progress: jsonNumber.meta({ description: 'The user’s progress in this period.', examples: [2] }),
        threshold: jsonNumber.meta({
          description: 'The threshold of the condition, in the version of the last event.',
          examples: [3],
        }),
      }),
    )
    .nullable()
    .meta({ description: 'As of the last metric event in the period; empty: there was none. null: see `complete`.' }),
});

/** Changes of a user's clock that are listed. */
export const MOST_ZONE_CHANGES = 20;

/** `GET /admin/v1/users/{id}/explain/streak`. */
export const explainedStreak = named('ExplainedStreak', 'Why a streak is as long as it is.', {
  length: whole.meta({ description: 'The streak’s length as of now.', examples: [4] }),
  complete: z.boolean().meta({
    description:
      'true: the user’s events were applied again. false: the user has many events, and they are not applied yet; periods are the stored ones, and `at`, `conditions` and `ends` are null.',
  }),
  preparing,
  periods: z.array(explainedPeriod).meta({ description: 'Newest first, from the user’s creation on.' }),
  ends: z
    .array(
      z.object({
        at: instant.meta({ description: 'The instant at which it ended, in UTC.' }),
        localTime: z.string().meta({
          description: 'What the clock of `zone` showed at that instant.',
          examples: ['2026-03-02T00:00:00.000'],
        }),
        length: whole.meta({ description: 'The length that the streak had.', examples: [4] }),
        zone: z.string().meta({ description: 'The user’s time zone at that time.', examples: ['Europe/Berlin'] }),
      }),
    )
    .nullable()
    .meta({ description: 'When streaks ended, newest first, at most 20.' }),
  zoneChanges: z
    .array(
      named('ZoneChange', 'A change of a user’s time zone.', {
        at: instant.meta({ description: 'The instant from which dates follow `to`, in UTC.' }),
        localTime: z.string().meta({
          description:
            'What the clock of `to` showed at that instant. Its date lies in the period that the change concerns.',
          examples: ['2026-03-02T09:30:00.000'],
        }),
        from: z.string().meta({ description: 'The user’s time zone before.', examples: ['Europe/Berlin'] }),
        to: z.string().meta({ description: 'The user’s time zone since then.', examples: ['Asia/Tokyo'] }),
      }),
    )
    .max(MOST_ZONE_CHANGES)
    .meta({
      description:
        'How the user’s clock changed, newest first, at most 20, whichever periods are asked for. The clock that the user was created with is no change.',
    }),
});
export type ExplainedStreakAnswer = z.infer<typeof explainedStreak>;

const decidedBy = z.enum(['value', 'reached_first']).meta({
  description:
    'What puts it there: its value, or, as both have the same, that one was reached earlier: by its instant, then by the order of recording.',
});

const boardPlace = named('BoardPlace', 'A place of a leaderboard.', {
  userId: userIdUnlessErased,
  rank: whole.meta({ description: 'The place.', examples: [2] }),
  value: jsonNumber.meta({ description: 'The value.', examples: [12] }),
});

const neighbour = boardPlace.extend({ decidedBy }).meta({
  id: 'NeighbouringPlace',
  description: 'The place next to the user’s, and what decides the order of the two.',
});

const contribution = named('Contribution', 'A change of a user’s value on a leaderboard, and what made it.', {
  at: instant.meta({ description: 'When it happened.' }),
  zone: z.string().meta({ description: 'The user’s time zone at that time.', examples: ['Europe/Berlin'] }),
  event: causingEvent.meta({ description: 'The event, or the sweep, with which it was recorded.' }),
  awards: z
    .array(
      explainedAward
        .pick({ type: true, trigger: true, change: true })
        .meta({ id: 'CountedAward', description: 'An award that counts on a leaderboard.' }),
    )
    .nullable()
    .meta({
      description:
        'Of a leaderboard that ranks by points: what gave them; they add up to `change`. null: it ranks by something else, a correction changed the value, or the points area has not applied the event yet.',
    }),
  change: jsonNumber.meta({ description: 'Change of the value; negative: it went down.', examples: [3] }),
  value: jsonNumber.meta({ description: 'The value after it.', examples: [9] }),
  previousRank: whole.nullable().meta({ description: 'The place before; null: not ranked.' }),
  rank: whole.nullable().meta({ description: 'The place after it; null: not ranked.' }),
  version,
});
export type ContributionAnswer = z.infer<typeof contribution>;

/** `GET /admin/v1/users/{id}/explain/leaderboards/{key}`. */
export const explainedStanding = named('ExplainedStanding', 'Why a user is where they are on a leaderboard.', {
  leaderboard: z.string().meta({ description: 'Key of the leaderboard.', examples: ['weekly'] }),
  status: z.enum(['ranked', 'no_value', 'not_positive', 'beyond_max_participants', 'not_begun', 'outside_dates']).meta({
    description:
      'Why the user is ranked or not. Only values above 0 are ranked, `maxParticipants` of them. `no_value`: nothing of the user counted in this run, see `uncounted`. `outside_dates`: the date asked for lies outside of `start` and `end`.',
  }),
  start: date.meta({ description: 'First date of the leaderboard.' }),
  end: date.nullable().meta({ description: 'Last date of the leaderboard; null: it has none.' }),
  uncounted: z.enum(['nothing_recorded', 'outside_run', 'recorded_before', 'kept_off']).nullable().meta({
    description:
      'Of `no_value`: why nothing counted; retracted events and values of 0 are nothing. `nothing_recorded`: the user has nothing of what the leaderboard ranks by, so is no participant. `outside_run`: all that they have is dated outside of the run, on their own clock. `recorded_before`: they have something in the run from when the leaderboard was not published, or ranked by something else. `kept_off`: what they have in the run was given by hand and kept off the leaderboards. null: see `status`, or the user has more than 1,000 events, or corrections that change points or streaks.',
  }),
  runStart: date.nullable().meta({ description: 'First date of the run; null: the leaderboard has not started.' }),
  runEnd: date.nullable().meta({ description: 'Last date of the run; null: it has none.' }),
  rank: whole.nullable().meta({ description: 'The place; null: not ranked.', examples: [3] }),
  value: jsonNumber.nullable().meta({ description: 'The user’s value; null: none in this run.', examples: [9] }),
  maxParticipants: whole.meta({ description: 'Maximum number of ranked users.', examples: [1000] }),
  lastRanked: boardPlace
    .nullable()
    .meta({ description: 'If the leaderboard is full: its last place, which must be beaten.' }),
  behindLast: jsonNumber.nullable().meta({
    description:
      'If the user is beyond `maxParticipants`: how much more `lastRanked` has; 0: the same value, reached earlier. null: not beyond.',
    examples: [null],
  }),
  above: neighbour.nullable().meta({ description: 'The place above; null: none, or not ranked.' }),
  below: neighbour.nullable().meta({ description: 'The place below; null: none, or not ranked.' }),
  contributions: z.array(contribution).meta({
    description: 'What changed the value, newest first. The changes on all pages add up to `value`.',
  }),
  next: nextCursor,
});
export type ExplainedStandingAnswer = z.infer<typeof explainedStanding>;

export const eventInWords = z.string().meta({
  description: 'The event in words, for people, with the names that the configuration has for keys.',
  examples: ['3 Lessons'],
});

const words = z.string().meta({
  description: 'The same in words, for people: amounts first, with the names that the configuration has for keys.',
  examples: ['500 xp for Bookworm, now 500'],
});

export const effect = z
  .looseObject({
    type: z.string().meta({ description: 'What happened.', examples: ['PointsAwarded'] }),
    words,
  })
  .meta({
    id: 'Effect',
    description:
      'Something that an event caused. Which other fields it has depends on its `type`; see ARCHITECTURE.md.',
  });
export type EffectAnswer = z.infer<typeof effect>;

export const pointsLeftOut = whole.meta({
  description:
    'How many effects on points come before the last 100, which are shown. `/admin/v1/users/{id}/explain/points/{key}/events/{eventId}` shows all.',
  examples: [0],
});

/** `GET /admin/v1/events/{eventId}`. */
export const explainedEvent = named('ExplainedEvent', 'A recorded event, and what it caused.', {
  id: uuid.meta({ description: 'The event’s id.' }),
  type: z.string().meta({ description: 'The type of the recorded event.', examples: ['MetricEventRecorded'] }),
  words: eventInWords,
  at: instant.meta({ description: 'The event’s instant.' }),
  recordedAt: instant.meta({ description: 'When it was recorded.' }),
  position: whole.meta({ description: 'Its place in the log.', examples: [42] }),
  version,
  userId: nullableText.meta({
    description: 'The user whom the event concerns; null: none, several, or one who was erased.',
    examples: ['ada'],
  }),
  metric: nullableText.meta({ description: 'Of a metric event: the metric’s key.', examples: ['lessons'] }),
  value: jsonNumber.nullable().meta({ description: 'Of a metric event: its value.', examples: [3] }),
  corrected,
  users: whole.meta({
    description: 'Number of users whom it concerns; 0: it concerns the whole account.',
    examples: [1],
  }),
  caused: z
    .array(
      z.object({
        userId: userIdUnlessErased,
        effects: z.array(effect).meta({ description: 'In the order in which they happened; ranks last.' }),
        pointsLeftOut,
        runsLeftOut: whole.meta({
          description:
            'Ranks are shown of the first 50 runs that the event concerns, and of so many others not. `/admin/v1/users/{id}/explain/leaderboards/{key}?run=` shows those of any run.',
          examples: [0],
        }),
      }),
    )
    .meta({
      description:
        'What it caused, for each user in the order of the event. There may be fewer than `limit`: only `next` says whether others follow. An area that has halted is not in it yet.',
    }),
  next: nextCursor,
});
export type ExplainedEventAnswer = z.infer<typeof explainedEvent>;
