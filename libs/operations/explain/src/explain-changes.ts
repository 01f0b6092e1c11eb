import { dayAt, type Zone } from '@laurel/calendar';
import {
  EFFECT_COLUMNS,
  occasionOf,
  type Configuration,
  type ConfigurationHistory,
  type Effect,
  type Occasion,
  type PointsAwarded,
  type RecordedUserEvent,
  type UserRef,
  type BoardRun,
} from '@laurel/kernel';
import type { ChangePlace, ExplainedChange, ExplainedChanges } from '@laurel/ports';
import { recordedUserEventOf } from '@laurel/engine';
import { leaderboardsPlanOf } from '@laurel/contributions';
import { causesIn, changesInRun, type OriginOfChange, type ChangeInRun } from '@laurel/leaderboards';
import { lastPointsEffects } from '@laurel/points';
import { readersOfEffects, storedEffectsOfUser, type EffectsRow } from '@laurel/stored-effects';
import { triggerTypeOf } from './explain-points.ts';
import type { ExplainerDependencies } from './explainer-dependencies.ts';

/** A page of changes. */
interface ChangesQuery {
  readonly user: UserRef;
  /** A board of the version in force. */
  readonly board: string;
  readonly run: BoardRun;
  /** null for the newest changes. */
  readonly before: ChangePlace | null;
  readonly limit: number;
}

/** An event that changed a value on a board, with the stored data about it. */
interface Happened {
  readonly record: RecordedUserEvent;
  /** The user's zones before and after the event. */
  readonly zones: readonly [Zone, Zone];
  /** null for a correction. */
  readonly causes: OriginOfChange | null;
}

/**
 * Explains a value from the stored changes of the run: three statements and one read of the log, and another statement for each further
 * schema in which areas store effects.
 */
export async function explainChanges(
  dependencies: ExplainerDependencies,
  { user, board, run, before, limit }: ChangesQuery,
): Promise<ExplainedChanges> {
  const history = dependencies.configurations(user.account);
  const boardNumber = history.current.names.boards.numberOf(board);
  const ofRun = { subject: user.subject, boardNumber, start: run.start };
  const changes = await changesInRun(dependencies.sqlOf('leaderboards'), ofRun, before, limit + 1);
  const shown = changes.slice(0, limit);
  const happened = await eventsOf(dependencies, user, [...new Set(shown.map(({ position }) => position))], history);
  const last = shown.at(-1);
  return {
    entries: shown.map((change) => {
      const event = happened.get(change.position);
      if (event === undefined) throw new Error(`the log has no event at position ${change.position}`);
      return entryOf(change, event, { board, runStart: run.start }, history);
    }),
    next: last === undefined || changes.length <= limit ? null : { position: last.position, ordinal: last.ordinal },
  };
}

async function eventsOf(
  { sqlOf, log, users }: ExplainerDependencies,
  { account, subject }: UserRef,
  positions: readonly number[],
  history: ConfigurationHistory,
): Promise<ReadonlyMap<number, Happened>> {
  if (positions.length === 0) return new Map();
  const [records, stored, zones] = await Promise.all([
    log.readAt(positions),
    storedEffectsOfUser(readersOfEffects(sqlOf), subject, positions),
    users.zonesOf(account, subject, [...positions.map((position) => position - 1), ...positions]),
  ]);
  const zoneAt = (place: number): Zone => zones[place] ?? 'UTC';
  const places = new Map(positions.map((position, place) => [position, place]));
  return new Map(
    records.map((found) => {
      const place = places.get(found.position) ?? 0;
      const zones = [zoneAt(place), zoneAt(positions.length + place)] as const;
      const record = recordedUserEventOf(found, subject);
      const configuration = history.at(record.configurationVersion);
      const occasion = occasionIn(record, zones, configuration);
      const effects = effectsOf(stored[place], configuration);
      const causes = occasion && causesIn(occasion, leaderboardsPlanOf(configuration), effects);
      return [found.position, { record, zones, causes }];
    }),
  );
}

function entryOf(
  { at, ordinal, change, value, previousRank, rank }: ChangeInRun,
  { record, zones, causes: causesOf }: Happened,
  asked: { readonly board: string; readonly runStart: string },
  history: ConfigurationHistory,
): ExplainedChange {
  const causes = causesOf?.({ ...asked, ordinal }) ?? null;
  return {
    record,
    at,
    zone: causes?.due ? zones[0] : zones[1],
    change,
    value,
    previousRank,
    rank,
    awards:
      causes === null || causes.awards.length === 0 ? null : causes.awards.map((award) => counted(award, history)),
  };
}

/** null for a correction: it sets the value that a fold has computed. */
function occasionIn(
  record: RecordedUserEvent,
  [previousZone, zone]: readonly [Zone, Zone],
  configuration: Configuration,
): Occasion | null {
  if (record.fact.type === 'CorrectionRecorded') return null;
  const { occurredAt } = record;
  const user = { createdAt: occurredAt, zone, previousZone, day: dayAt(occurredAt, zone), total: null };
  return occasionOf(record, user, configuration);
}

/** All streak and points effects that boards may count: an award is found by its place among them. */
function effectsOf(stored: EffectsRow | undefined, { names }: Configuration): readonly Effect[] {
  if (stored === undefined) return [];
  const event = { occurredAt: stored.occurred_at.getTime() };
  const streaks = stored.streaks === null ? [] : EFFECT_COLUMNS.streaks.decode(stored.streaks, event, names);
  const points = lastPointsEffects(stored.points ?? '[]', event.occurredAt, names, Infinity);
  return [...streaks, ...points.effects];
}

const counted = (award: PointsAwarded, history: ConfigurationHistory) => ({
  triggerId: award.triggerId,
  type: triggerTypeOf(award, history),
  change: BigInt(award.awarded),
});
