import type { Configuration, Effect, RecordedEvent, Subject } from '@laurel/kernel';
import type { EffectsByArea, ExplainedEvent, ExplainReads } from '@laurel/ports';
import { correctionsOfEvents } from '@laurel/engine';
import { rankChangesAt, rankChangesOfCorrection } from '@laurel/leaderboards';
import {
  daysOf,
  runsOf,
  effectsByArea,
  effectsInOrder,
  readersOfEffects,
  storedEffects,
  withoutFirstPoints,
  type EffectsPlace,
  type EffectsRow,
} from '@laurel/stored-effects';
import type { ExplainerDependencies } from './explainer-dependencies.ts';

/** Runs whose ranks a page reads: the page ends before the user whose runs would exceed it. */
const RUNS_OF_PAGE = 25;
/** Runs of a user who is alone on a page. */
const RUNS_OF_USER = 50;

/**
 * The event with its corrections and its stored effects. Takes five statements, however many effects it had, and one
 * more for each further schema in which areas store effects.
 * @param page `from` is the index of the first user in the event, from 0
 * @returns null if the account has no such event
 */
export async function explainEvent(
  dependencies: ExplainerDependencies,
  account: string,
  eventId: string,
  { from, limit }: Parameters<ExplainReads['event']>[2],
): Promise<ExplainedEvent | null> {
  const record = await dependencies.log.find(account, eventId);
  if (record === null) return null;
  const subjects = subjectsOf(record);
  const asked = subjects.slice(from, from + limit);
  if (asked.length === 0) return { record, corrected: null, users: subjects.length, caused: [], next: null };
  const { position } = record;
  const [corrections, stored, zones] = await Promise.all([
    'subject' in record.fact ? dependencies.log.correctionsOf([record.fact.subject]) : [],
    storedEffects(
      readersOfEffects(dependencies.sqlOf),
      asked.map((subject) => ({ subject, position })),
    ),
    dependencies.users.zonesAt(asked.map((subject) => ({ account, subject, position }))),
  ]);
  const corrected = correctionsOfEvents(corrections).get(position) ?? null;
  const configuration = dependencies.configurations(account).at(record.configurationVersion);
  const [subject] = asked;
  if (record.fact.type === 'CorrectionRecorded' && subject !== undefined) {
    const caused = await causedByCorrection(dependencies, { subject, position }, stored[0], configuration);
    return { record, corrected, users: 1, caused: [caused], next: null };
  }
  const whole = stored.map((row) => row && effectsByArea(row, configuration, Infinity));
  const runs = asked.map((subject, place) =>
    runsOf(subject, daysOf(record, zones[place] ?? 'UTC', inOrder(whole[place])), configuration),
  );
  const effects = whole.map((all) => all && withoutFirstPoints(all));
  const shown = asked.slice(0, usersWithin(RUNS_OF_PAGE, runs));
  const lookedAt = runs.slice(0, shown.length).flatMap((ofUser) => ofUser.slice(0, RUNS_OF_USER));
  const ranks = await rankChangesAt(dependencies.sqlOf('leaderboards'), position, lookedAt);
  const caused = shown.map((subject, place) => ({
    subject,
    effects: [...inOrder(effects[place]), ...(ranks.get(subject) ?? [])],
    pointsLeftOut: effects[place]?.pointsLeftOut ?? 0,
    runsLeftOut: Math.max(0, (runs[place]?.length ?? 0) - RUNS_OF_USER),
  }));
  const next = from + shown.length;
  return { record, corrected, users: subjects.length, caused, next: next < subjects.length ? next : null };
}

/** A correction changes runs on days other than the days of its effects, so its ranks are found by user and position. */
async function causedByCorrection(
  { sqlOf }: ExplainerDependencies,
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

/** How many users fit on a page that reads at most `most` runs; always at least one. */
function usersWithin(most: number, runs: readonly (readonly unknown[])[]): number {
  let looked = 0;
  const over = runs.findIndex(({ length }, place) => (looked += length) > most && place > 0);
  return over < 0 ? runs.length : over;
}

const inOrder = (effects: EffectsByArea | undefined): readonly Effect[] => (effects ? effectsInOrder(effects) : []);

function subjectsOf({ fact }: RecordedEvent): readonly Subject[] {
  if (fact.type === 'UsersSwept') return fact.subjects;
  return 'subject' in fact ? [fact.subject] : [];
}
