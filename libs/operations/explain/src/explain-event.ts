import type { Configuration, ConfigurationHistory, Effect, LogRecord, Subject } from '@laurel/kernel';
import type { EffectsByArea, ExplainedEvent } from '@laurel/ports';
import { correctionsOfEvents } from '@laurel/engine';
import type { EventLookup } from '@laurel/event-store';
import { rankChangesAt, rankChangesOfCorrection } from '@laurel/leaderboards';
import type { UserQueries } from '@laurel/users';
import {
  daysOf,
  runsOf,
  effectsByArea,
  readersOfEffects,
  storedEffects,
  withoutFirstPoints,
  type EffectsPlace,
  type EffectsRow,
  type SqlOfArea,
} from '@laurel/stored-effects';

export interface EventParts {
  readonly sqlOf: SqlOfArea;
  readonly log: Pick<EventLookup, 'find' | 'correctionsOf'>;
  readonly users: Pick<UserQueries, 'zonesAt'>;
  readonly configurations: (account: string) => ConfigurationHistory;
}

/** Which of its users are asked for. */
export interface AskedUsers {
  /** The first, by their place in the event, from 0. */
  readonly from: number;
  readonly limit: number;
}

/** Runs that are looked at for the ranks that the event changed: a page ends before the user with whom there would be more. */
const RUNS_OF_PAGE = 25;
/** Of a user who is alone on a page. */
const RUNS_OF_USER = 50;

/**
 * The event, what corrections made of it, and its stored effects: five statements, whatever it caused, and one more for each further schema that areas store theirs in.
 * null: the account has no such event.
 */
export async function explainEvent(
  parts: EventParts,
  account: string,
  eventId: string,
  { from, limit }: AskedUsers,
): Promise<ExplainedEvent | null> {
  const record = await parts.log.find(account, eventId);
  if (record === null) return null;
  const subjects = subjectsOf(record);
  const asked = subjects.slice(from, from + limit);
  if (asked.length === 0) return { record, corrected: null, users: subjects.length, caused: [], next: null };
  const { position } = record;
  const [corrections, stored, zones] = await Promise.all([
    'subject' in record.fact ? parts.log.correctionsOf([record.fact.subject]) : [],
    storedEffects(
      readersOfEffects(parts.sqlOf),
      asked.map((subject) => ({ subject, position })),
    ),
    parts.users.zonesAt(asked.map((subject) => ({ account, subject, position }))),
  ]);
  const corrected = correctionsOfEvents(corrections).get(position) ?? null;
  const configuration = parts.configurations(account).at(record.configurationVersion);
  const [subject] = asked;
  if (record.fact.type === 'CorrectionRecorded' && subject !== undefined) {
    const caused = await causedByCorrection(parts, { subject, position }, stored[0], configuration);
    return { record, corrected, users: 1, caused: [caused], next: null };
  }
  const whole = stored.map((row) => row && effectsByArea(row, configuration, Infinity));
  const runs = asked.map((subject, place) =>
    runsOf(subject, daysOf(record, zones[place] ?? 'UTC', inOrder(whole[place])), configuration),
  );
  const effects = whole.map((all) => all && withoutFirstPoints(all));
  const shown = asked.slice(0, usersWithin(RUNS_OF_PAGE, runs));
  const lookedAt = runs.slice(0, shown.length).flatMap((ofUser) => ofUser.slice(0, RUNS_OF_USER));
  const ranks = await rankChangesAt(parts.sqlOf('leaderboards'), position, lookedAt);
  const caused = shown.map((subject, place) => ({
    subject,
    effects: [...inOrder(effects[place]), ...(ranks.get(subject) ?? [])],
    pointsLeftOut: effects[place]?.pointsLeftOut ?? 0,
    runsLeftOut: Math.max(0, (runs[place]?.length ?? 0) - RUNS_OF_USER),
  }));
  const next = from + shown.length;
  return { record, corrected, users: subjects.length, caused, next: next < subjects.length ? next : null };
}

/** A correction changes runs on other days than those of its own effects, so its ranks are found by the user and the position. */
async function causedByCorrection(
  { sqlOf }: Pick<EventParts, 'sqlOf'>,
  place: EffectsPlace,
  row: EffectsRow | undefined,
  configuration: Configuration,
): Promise<ExplainedEvent['caused'][number]> {
  const own = row && effectsByArea(row, configuration);
  const { changes, leftOut } = await rankChangesOfCorrection(
    sqlOf('leaderboards'),
    place,
    configuration.names,
    RUNS_OF_USER,
  );
  return {
    subject: place.subject,
    effects: [...inOrder(own), ...changes],
    pointsLeftOut: own?.pointsLeftOut ?? 0,
    runsLeftOut: leftOut,
  };
}

/** How many come before these runs are too many; the first is always among them. */
function usersWithin(most: number, runs: readonly (readonly unknown[])[]): number {
  let looked = 0;
  const over = runs.findIndex(({ length }, place) => (looked += length) > most && place > 0);
  return over < 0 ? runs.length : over;
}

/** Those of all areas, in the order in which the areas apply an event. */
const inOrder = (effects: EffectsByArea | undefined): readonly Effect[] =>
  effects === undefined ? [] : [...effects.users, ...effects.streaks, ...effects.achievements, ...effects.points];

function subjectsOf({ fact }: LogRecord): readonly Subject[] {
  if (fact.type === 'UsersSwept') return fact.subjects;
  return 'subject' in fact ? [fact.subject] : [];
}
