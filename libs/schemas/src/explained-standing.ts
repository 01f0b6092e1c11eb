import { z } from 'zod';
import { causingEvent, version } from './explain.ts';
import { explainedAward } from './explained-points.ts';
import { date, instant, jsonNumber, nextCursor, userIdUnlessErased, whole } from './fields.ts';
import { named } from './named-object.ts';

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
