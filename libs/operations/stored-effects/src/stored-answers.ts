import { localDate } from '@laurel/calendar';
import {
  effectsOfType,
  verdictIn,
  type AreaName,
  type Configuration,
  type ConfigurationHistory,
  type PointsEffect,
  type PointsAnswer,
  type PointsSystemOutcome,
  type AnswerParts,
  type StateReader,
  type RecordedUserEvent,
  type ViewRequest,
} from '@laurel/kernel';
import { awardsOf } from '@laurel/points';
import { USER_AREAS } from '@laurel/all-areas';
import { effectsByArea, readersOfEffects, storedEffects, type EffectsRow, type SqlOfArea } from './stored-effects.ts';

export interface StoredAnswersDependencies {
  readonly sqlOf: SqlOfArea;
  readonly states: Pick<StateReader, 'readAll'>;
  readonly configurations: (account: string) => ConfigurationHistory;
}

/** A recorded event that is answered, and the areas that have applied it. */
export interface AnsweredEvent {
  readonly record: RecordedUserEvent;
  readonly areas: readonly AreaName[];
}

/**
 * Rebuilds the answer parts of applied events from stored rows. Totals, completions and awards are those of the event; the streak is the
 * present one; a points system whose award was cut to nothing is left out. Takes one statement for each area and one for each reader,
 * however many events there are.
 * @throws StoreUnavailableError
 */
export async function storedAnswers(
  { sqlOf, states, configurations }: StoredAnswersDependencies,
  account: string,
  applied: readonly AnsweredEvent[],
): Promise<readonly AnswerParts[]> {
  const places = applied.map(({ record: { fact, position } }) => ({ subject: fact.subject, position }));
  const subjects = [...new Set(places.map(({ subject }) => subject))];
  const [effects, ...statesByArea] = await Promise.all([
    storedEffects(readersOfEffects(sqlOf), places),
    ...USER_AREAS.map(({ name }) => states.readAll(account, subjects, name)),
  ]);
  return applied.map(({ record, areas }, place) => {
    const configuration = configurations(account).at(record.configurationVersion);
    const row = effects[place];
    if (row === undefined) return {};
    const shown = USER_AREAS.flatMap((area, index) => {
      const json = statesByArea[index]?.get(record.fact.subject) ?? null;
      if (json === null || !areas.includes(area.name)) return [];
      return [[area.name, area.view(area.decode(json), requestFor(record), configuration)]];
    });
    return withEffects(Object.fromEntries(shown) as AnswerParts, record, row, configuration);
  });
}

const requestFor = ({ account, occurredAt, fact }: RecordedUserEvent): ViewRequest => ({
  account,
  subject: fact.subject,
  at: occurredAt,
  metric: fact.type === 'MetricEventRecorded' ? fact.metric : null,
  originalDate: localDate(occurredAt, 'UTC'),
});

/** Adds the effects of the event to the present answer parts. */
function withEffects(
  { users, streaks, achievements, points }: AnswerParts,
  record: RecordedUserEvent,
  row: EffectsRow,
  configuration: Configuration,
): AnswerParts {
  const effects = effectsByArea(row, configuration, Infinity);
  const { occurredAt } = record;
  const total = effectsOfType(effects.users, 'MetricTotalChanged').at(-1)?.total;
  const completed = effectsOfType(effects.achievements, 'AchievementCompleted');
  const extended = effects.streaks.some(({ type }) => type === 'StreakStarted' || type === 'StreakExtended');
  return {
    ...(users && {
      users: {
        ...users,
        created: effects.users.some(({ type }) => type === 'UserCreated'),
        date: localDate(occurredAt, users.zone),
        // An event of value 0 changes no total.
        ...(total !== undefined && { total: BigInt(total) }),
      },
    }),
    ...(streaks && { streaks: { ...streaks, extended } }),
    ...(achievements && {
      achievements: { completed: completed.map(({ achievement: key, at }) => ({ key, achievedAt: at })) },
    }),
    ...(points && { points: pointsAnswer(record, effects.points, configuration) }),
  };
}

function pointsAnswer(
  { eventId }: RecordedUserEvent,
  effects: readonly PointsEffect[],
  { pointsSystems }: Configuration,
): PointsAnswer {
  const awards = awardsOf({ eventId }, effects);
  const levels = effectsOfType(effects, 'LevelChanged').filter(({ due }) => !due);
  const systems = pointsSystems.flatMap(({ key }): PointsSystemOutcome[] => {
    const own = awards.filter(({ system, due }) => system === key && !due);
    const last = own.at(-1);
    if (last === undefined) return [];
    const level = levels.findLast(({ system }) => system === key);
    const added = own.reduce((sum, { awarded }) => sum + awarded, 0n);
    return [{ key, total: last.total, added, ...(level && { level: level.to }) }];
  });
  const verdict = verdictIn(effects);
  return { awards, systems, ...(verdict !== null && { verdict }) };
}
