import { formatDay, type Instant } from '@laurel/calendar';
import {
  isBuiltInTrigger,
  effectsOfType,
  type ConfigurationHistory,
  type PointsAwarded,
  type TriggerFired,
  type RecordedUserEvent,
  type UserRef,
} from '@laurel/kernel';
import type { AwardPlace, ExplainedAward, ExplainedPoints } from '@laurel/ports';
import type { EventLookup } from '@laurel/event-store';
import { recordedPoints, type PlacedAward, type PointsQueries, type RecordedPoints } from '@laurel/points';
import {
  foldEvents,
  recordedUserEventOf,
  UserFold,
  type Document,
  type FoldedEvent,
  type UserEvents,
} from '@laurel/engine';
import type { UserQueries } from '@laurel/users';
import { USER_AREAS } from '@laurel/all-areas';
import { foldStartOf, type FoldedUser, type Segment } from './folded-user.ts';
import { SilentListener } from './silent-listener.ts';

/** A page of entries. */
export interface PointsQuery {
  readonly user: UserRef;
  readonly system: string;
  readonly at: Instant;
  /** null for the newest entries. */
  readonly before: AwardPlace | null;
  readonly limit: number;
}

const POINTS = USER_AREAS.findIndex(({ name }) => name === 'points');

/** Folds the user event by event. Holds at most one page of entries in memory. */
export async function foldedPoints(
  events: UserEvents,
  history: ConfigurationHistory,
  { user, system, at, before, limit }: PointsQuery,
): Promise<ExplainedPoints> {
  const fold = new UserFold(USER_AREAS, history);
  const heard = new FiredIn(system);
  const newest: ExplainedAward[] = [];
  let total = 0n;
  await foldEvents(fold, events, user, {
    reasons: heard,
    applied: (folded) => {
      for (const entry of entriesOf(folded, system, heard.take(), total)) {
        total = entry.total;
        if (before !== null && !isBefore(entry, before)) continue;
        newest.push(entry);
        if (newest.length > limit + 1) newest.shift();
      }
    },
  });
  const more = newest.length > limit;
  const entries = newest.reverse().slice(0, limit);
  return pageOf(pointsOf(fold.document, history, system, at), 'folded', entries, more ? placeOf(entries.at(-1)) : null);
}

/** The points in a system that a folded user has. */
export const pointsOf = (
  document: Document,
  history: ConfigurationHistory,
  system: string,
  at: Instant,
): RecordedPoints => recordedPoints(USER_AREAS[POINTS]?.encode(document[POINTS]), history.current, system, at);

/**
 * Explains points of a user who is already folded: applies a few events again, however many the user has. A page may
 * have fewer entries than the limit.
 */
export async function snapshotPoints(
  { segments, document }: FoldedUser,
  log: Pick<EventLookup, 'readAt'>,
  history: ConfigurationHistory,
  { user, system, at, before, limit }: PointsQuery,
): Promise<ExplainedPoints> {
  const recorded = pointsOf(document, history, system, at);
  const held = segments.filter(
    ({ fired, first }) => fired.has(system) && (before === null || first <= before.position),
  );
  const entries: ExplainedAward[] = [];
  let oldest: Segment | undefined;
  for (let read = 0; read < SEGMENTS_OF_PAGE && entries.length <= limit;) {
    oldest = held.pop();
    if (oldest === undefined) break;
    if (oldest.correction === null) read++;
    const inSegment = await entriesIn(oldest, log, history, { user, system, at });
    entries.push(...inSegment.filter((entry) => before === null || isBefore(entry, before)).reverse());
  }
  const shown = entries.slice(0, limit);
  const behindSegment = oldest === undefined || held.length === 0 ? null : { position: oldest.first, index: 0 };
  const next = entries.length > limit ? placeOf(shown.at(-1)) : behindSegment;
  return pageOf(recorded, 'folded', shown, next);
}

/** Segments that are applied again for one page. */
const SEGMENTS_OF_PAGE = 2;

async function entriesIn(
  { snapshot, positions, correction }: Segment,
  log: Pick<EventLookup, 'readAt'>,
  history: ConfigurationHistory,
  { user, system, at }: Pick<PointsQuery, 'user' | 'system' | 'at'>,
): Promise<readonly ExplainedAward[]> {
  const start = foldStartOf(snapshot, user);
  let total = start === null ? 0n : pointsOf(start.document, history, system, at).recorded;
  if (correction !== null) return entriesOf(correction, system, [], total);
  const fold = new UserFold(USER_AREAS, history, start);
  const heard = new FiredIn(system);
  const records = await log.readAt(positions);
  return records.flatMap((record) => {
    const folded = fold.apply(recordedUserEventOf(record, user.subject), heard);
    const entries = entriesOf(folded, system, heard.take(), total);
    total = entries.at(-1)?.total ?? total;
    return entries;
  });
}

/** Collects the triggers that fire in one system. */
export class FiredIn extends SilentListener {
  readonly system: string;
  #fired: TriggerFired[] = [];

  constructor(system: string) {
    super();
    this.system = system;
  }

  /** The triggers that fired since the last call. */
  take(): readonly TriggerFired[] {
    const fired = this.#fired;
    this.#fired = [];
    return fired;
  }

  override triggerFired(fired: TriggerFired): void {
    if (fired.system === this.system) this.#fired.push(fired);
  }
}

/**
 * Pairs fired triggers with the awards that they emitted, in the same order. A correction changes awards without firing
 * a trigger.
 */
export function entriesOf(
  { record, occasion, effects }: Pick<FoldedEvent, 'record' | 'occasion' | 'effects'>,
  system: string,
  fired: readonly TriggerFired[],
  before: bigint,
): readonly ExplainedAward[] {
  const awards = effectsOfType(effects, 'PointsAwarded').filter((award) => award.system === system);
  const corrected = record.fact.type === 'CorrectionRecorded' ? awards.map(correctionOf) : [];
  let total = before;
  return [...corrected, ...fired].map(
    ({ triggerId, type, times, nominal, boosted, awarded, cutBy }, index): ExplainedAward => {
      const award = awarded === 0 ? null : (awards.shift() as PointsAwarded);
      if (award !== null) total = BigInt(award.total);
      const { zone, previousZone, day } = occasion.user;
      return {
        record,
        index,
        triggerId,
        type,
        cutBy,
        total,
        at: award?.at ?? occasion.occurredAt,
        date: formatDay(award?.day ?? day),
        zone: award?.due ? previousZone : zone,
        times: BigInt(times),
        nominal: BigInt(nominal),
        change: BigInt(awarded),
        ...(boosted && { boosted: { boosts: boosted.boosts, points: BigInt(boosted.points) } }),
      };
    },
  );
}

const correctionOf = ({ triggerId, awarded }: PointsAwarded): Omit<TriggerFired, 'system'> => ({
  triggerId,
  type: 'correction',
  times: 1,
  nominal: awarded,
  awarded,
  cutBy: null,
});

const isBefore = ({ record, index }: ExplainedAward, place: AwardPlace): boolean =>
  record.position < place.position || (record.position === place.position && index < place.index);

/** Dependencies of {@link storedPoints}. */
export interface StoredPointsDependencies {
  readonly points: Pick<PointsQueries, 'recorded'>;
  readonly users: Pick<UserQueries, 'zonesAt'>;
  readonly log: Pick<EventLookup, 'readAt'>;
}

/**
 * Reads stored awards: four statements per page. How often a trigger fired, and by how much an award was cut, are not
 * stored.
 */
export async function storedPoints(
  { points, users, log }: StoredPointsDependencies,
  history: ConfigurationHistory,
  { user, system, at, before, limit }: PointsQuery,
): Promise<ExplainedPoints> {
  const { account, subject } = user;
  const { awards, ...recorded } = await points.recorded(user, system, at, { before, limit: limit + 1 });
  const shown = awards.slice(0, limit);
  const [records, zones] = await Promise.all([
    log.readAt([...new Set(shown.map(({ position }) => position))]),
    users.zonesAt(shown.map(({ position, award }) => ({ account, subject, position: position - (award.due ? 1 : 0) }))),
  ]);
  const byPosition = new Map(records.map((record) => [record.position, recordedUserEventOf(record, subject)]));
  const entries = shown.map((placed, place) => {
    const record = byPosition.get(placed.position);
    if (record === undefined) throw new Error(`the log has no event at position ${placed.position}`);
    return storedEntry(placed, record, zones[place] ?? 'UTC', history);
  });
  return pageOf(recorded, 'stored', entries, awards.length > limit ? placeOf(entries.at(-1)) : null);
}

function storedEntry(
  { index, award }: PlacedAward,
  record: RecordedUserEvent,
  zone: string,
  history: ConfigurationHistory,
): ExplainedAward {
  const { triggerId, at, day, awarded, total, boosts } = award;
  return {
    record,
    index,
    triggerId,
    type: triggerTypeOf(award, history),
    at,
    zone,
    date: formatDay(day),
    times: null,
    nominal: null,
    cutBy: null,
    change: BigInt(awarded),
    total: BigInt(total),
    ...(boosts && { boosted: { boosts, points: null } }),
  };
}

/** The kind of trigger that gave a stored award; null if no published version has that trigger. */
export function triggerTypeOf(
  { triggerId, due }: Pick<PointsAwarded, 'triggerId' | 'due'>,
  history: Pick<ConfigurationHistory, 'findTrigger'>,
): ExplainedAward['type'] {
  if (due) return 'time';
  if (isBuiltInTrigger(triggerId)) return triggerId;
  return history.findTrigger(triggerId)?.type ?? null;
}

const placeOf = (entry: ExplainedAward | undefined) =>
  entry === undefined ? null : { position: entry.record.position, index: entry.index };

function pageOf(
  { recorded, due, earned }: RecordedPoints,
  from: 'folded' | 'stored',
  entries: readonly ExplainedAward[],
  next: Pick<AwardPlace, 'position' | 'index'> | null,
): ExplainedPoints {
  const folded = from === 'folded';
  return { recorded, due, earned, folded, preparing: false, entries, next: next && { ...next, folded } };
}
