import { groupBy, NEXT_COMPLETIONS, TRIGGER_MISSES } from '@laurel/kernel';
import type {
  CausingEvent,
  ExplainedAchievementAnswer,
  ExplainedPointsAnswer,
  ExplainedPointsOfEventAnswer,
  ExplainedStandingAnswer,
  ExplainedStreakAnswer,
} from '@laurel/schemas';
import { plainText } from '../plain-text.ts';
import { table } from '../terminal/table.ts';

const CUTS = {
  trigger_cap: "cut by the trigger's cap",
  system_cap: "cut by the system's cap",
  cap: 'cut by maxPoints',
  zero: 'cut at zero',
} as const;

export function pointsLines({
  total,
  recorded,
  due,
  earned,
  level,
  complete,
  preparing,
  entries,
  next,
}: ExplainedPointsAnswer): string[] {
  const rows = entries.map(awardRow);
  return [
    `${shown(total)} points: ${shown(recorded)} recorded, ${shown(due)} due and not recorded yet`,
    ...(earned === undefined
      ? []
      : [`${shown(earned)} earned, which the level follows: ${level ?? 'below all levels'}`]),
    ...(complete ? [] : [`${preparing ? STILL : TOO_MANY}: these are the stored awards, without what was cut`]),
    ...(rows.length === 0 ? ['nothing has given any'] : table(POINTS, rows)),
    ...older('entries', next),
  ];
}

const older = (what: string, next: string | null): string[] =>
  next === null ? [] : [`there are older ${what}: --cursor ${plainText(next)}`];

const awardRow = ({
  at,
  zone,
  event,
  type,
  times,
  nominal,
  boosts,
  boosted,
  change,
  cutBy,
  total: after,
  version,
}: ExplainedPointsAnswer['entries'][number]): string[] => [
  at,
  zone,
  type ?? 'removed trigger',
  eventName(event),
  times === null ? '' : shown(times),
  shown(change),
  [
    ...(boosts === undefined ? [] : [`${shown(nominal)} with ${boosts.map(boostName).join(', ')}`]),
    ...(cutBy === null ? [] : [`${CUTS[cutBy]}, of ${shown(boosted ?? nominal)}`]),
  ].join('; '),
  shown(after),
  shown(version),
  event.id,
];

const boostName = ({ name, multiplier }: { readonly name: string; readonly multiplier: number }): string =>
  `${plainText(name)} × ${multiplier}`;

function eventName({ type, metric, value, reason, reference }: CausingEvent): string {
  if (metric !== undefined) return `${metric} ${shown(value)}`;
  const texts = type === 'SpendRequested' || type === 'RefundRequested' ? [reference, reason] : [];
  return [type, ...texts.flatMap((text) => (text ? [plainText(text)] : []))].join(', ');
}

export function pointsOfEventLines({
  event,
  change,
  complete,
  preparing,
  fired,
  missed,
}: ExplainedPointsOfEventAnswer): string[] {
  const rows = fired.map(awardRow);
  return [
    `event ${event.id} gave ${shown(change)} points`,
    ...(complete ? [] : [`${preparing ? STILL : TOO_MANY}: why others gave nothing is not stored`]),
    ...(rows.length === 0 ? [] : table(POINTS, rows)),
    ...(missed ?? []).map(
      ({ trigger, why: reason, missing }) => `${triggerName(trigger)}: ${missedLine(reason, missing)}`,
    ),
  ];
}

type Missed = NonNullable<ExplainedPointsOfEventAnswer['missed']>[number];

function triggerName(trigger: Missed['trigger']): string {
  if (trigger === null) return 'removed trigger';
  const of = trigger.metricName ?? trigger.achievementName;
  return of === undefined ? trigger.type : `${trigger.type} ${plainText(of)}`;
}

function missedLine(reason: Missed['why'], missing: Missed['missing']): string {
  const { means, line } = TRIGGER_MISSES[reason];
  return line?.(shown(missing)) ?? means;
}

const POINTS = ['at', 'zone', 'by', 'event', 'times', 'change', '', 'total', 'version', 'event id'];

export function achievementLines(answer: ExplainedAchievementAnswer): string[] {
  const { revokedBy } = answer;
  if (!revokedBy) return [achievementLine(answer)];
  const { recordedAt, by, reason, id } = revokedBy;
  const why = reason ? ` (${plainText(reason)})` : '';
  return [
    achievementLine(answer),
    `it was taken back at ${recordedAt} by ${plainText(by ?? 'somebody')}${why} with event ${id}`,
  ];
}

function achievementLine(answer: ExplainedAchievementAnswer): string {
  const { achievement, status, at, event, missing, have, need, achievements, completesWith, metric } = answer;
  const key = plainText(achievement);
  const next = NEXT_COMPLETIONS[completesWith ?? 'call'].line(plainText(metric ?? ''));
  switch (status) {
    case 'completed':
      return `${key} was completed at ${at ?? ''} by event ${event?.id ?? ''}`;
    case 'met':
      return `${key} is not completed: its condition is met, but no event has come since; it completes with ${next}`;
    case 'inactive':
      return `${key} is not completed: it is active only ${activeBounds(answer)}`;
    case 'user_differs':
      return `${key} is not completed: the user does not have the attributes that it requires: ${attributesInWords(answer.userAttributes)}`;
    case 'open': {
      const others = achievements?.map((other) => plainText(other)).join(', ');
      if (others !== undefined) return `${key} is not completed: it needs ${others}`;
      if (missing === null) return `${key} is not completed: it completes with ${next}`;
      return `${key} is not completed: ${shown(have)} of ${shown(need)}, ${shown(missing)} missing`;
    }
  }
}

/** Values of one key are alternatives. */
function attributesInWords(attributes: ExplainedAchievementAnswer['userAttributes']): string {
  const byKey = groupBy(attributes, ({ key }) => key);
  const required = [...byKey].map(
    ([key, values]) => `${plainText(key)} is ${values.map(({ value }) => plainText(value)).join(' or ')}`,
  );
  return required.join(', ');
}

const activeBounds = ({ activeFrom, activeUntil }: ExplainedAchievementAnswer): string =>
  [activeFrom && `from ${activeFrom}`, activeUntil && `before ${activeUntil}`].filter(Boolean).join(' and ');

/** Reasons for an incomplete answer. */
const STILL = 'the many events of the user are still being applied, ask again soon';
const TOO_MANY = 'the user has too many events, or too many corrections of them';

export function streakLines({
  length,
  complete,
  preparing,
  periods,
  ends,
  zoneChanges,
}: ExplainedStreakAnswer): string[] {
  const rows = periods.map((period) => [
    period.periodStart,
    period.periodEnd,
    period.status,
    shown(period.length),
    (period.conditions ?? [])
      .map(({ metric, progress, threshold }) => `${metric} ${shown(progress)}/${shown(threshold)}`)
      .join(', '),
    period.at ?? '',
    period.eventId ?? '',
  ]);
  return [
    `the streak is ${shown(length)} long`,
    ...(complete ? [] : [`${preparing ? STILL : TOO_MANY}: how far each condition came is not stored`]),
    ...(rows.length === 0 ? ['there are no periods'] : table(PERIODS, rows)),
    ...(ends ?? []).map(
      (end) => `one of ${shown(end.length)} ended at ${end.at}, ${end.localTime} in ${plainText(end.zone)}`,
    ),
    ...zoneChanges.map(
      ({ at, localTime, from, to }) =>
        `the clock changed at ${at} from ${plainText(from)} to ${plainText(to)}, where it was ${localTime}`,
    ),
  ];
}

const PERIODS = ['from', 'to', 'status', 'length', 'conditions', 'at', 'event'];

export function standingLines(answer: ExplainedStandingAnswer): string[] {
  const { leaderboard, status, runStart, runEnd, value, maxParticipants, contributions, next } = answer;
  const rows = contributions.map(contributionRow);
  const neighbours = (['above', 'below', 'lastRanked'] as const).flatMap((name) => {
    const place = answer[name];
    if (place === null) return [];
    return [
      `${PLACES[name]}: ${plainText(place.userId ?? 'an erased user')}, rank ${place.rank}, ${shown(place.value)}${'decidedBy' in place && place.decidedBy === 'reached_first' ? REACHED_FIRST[name] : ''}`,
    ];
  });
  const reasons = {
    ranked: `rank ${shown(answer.rank)} with ${shown(value)}`,
    no_value: `not ranked: ${answer.uncounted === null ? 'nothing counted in this run' : UNCOUNTED[answer.uncounted]}`,
    not_positive: `not ranked: ${shown(value)} is not above 0`,
    beyond_max_participants: `not ranked: ${shown(value)} is beyond the ${maxParticipants} places, ${shown(answer.behindLast)} behind the last`,
    not_begun: `not ranked: the board begins on ${answer.start}`,
    outside_dates: `not ranked: the board runs from ${answer.start} to ${answer.end ?? 'an open end'}`,
  };
  return [
    `${plainText(leaderboard)}, run ${runStart ?? '–'} to ${runEnd ?? 'open'}: ${reasons[status]}`,
    ...neighbours,
    ...(rows.length === 0 ? [] : table(CONTRIBUTIONS, rows)),
    ...older('contributions', next),
  ];
}

const contributionRow = ({
  at,
  zone,
  event,
  awards,
  change,
  value,
  rank,
  version,
}: ExplainedStandingAnswer['contributions'][number]): string[] => [
  at,
  zone,
  (awards ?? []).map(({ type, change: given }) => `${type ?? 'removed trigger'} ${shown(given)}`).join(', '),
  eventName(event),
  shown(change),
  shown(value),
  shown(rank),
  shown(version),
  event.id,
];

const UNCOUNTED = {
  nothing_recorded: 'nothing but 0 is recorded of what the board ranks by',
  outside_run: 'all that the user has is dated outside of this run',
  recorded_before:
    'the user has something in this run from when the board was not published, or ranked by something else',
  kept_off: 'what the user has in this run was given by hand and kept off the boards',
} as const;
const PLACES = { above: 'above', below: 'below', lastRanked: 'last place' } as const;
const REACHED_FIRST = { above: ', reached earlier', below: ', reached later', lastRanked: '' } as const;
const CONTRIBUTIONS = ['at', 'zone', 'by', 'event', 'change', 'value', 'rank', 'version', 'event id'];

const shown = (value: unknown): string => (value === null || value === undefined ? '–' : plainText(String(value)));
