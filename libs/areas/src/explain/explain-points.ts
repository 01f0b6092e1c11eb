import { formatDay, type Instant } from '@laurel/calendar';
import {
  GRANT_TRIGGER,
  effectsOfType,
  type AwardPlace,
  type ConfigurationHistory,
  type ExplainedAward,
  type ExplainedPoints,
  type PointsAwarded,
  type Reasons,
  type TriggerFired,
  type UserRecord,
  type UserRef,
} from '@laurel/contracts';
import type { EventLookup } from '@laurel/event-store';
import { recordedPoints, type PlacedAward, type PointsQueries } from '@laurel/points';
import { foldEvents, userRecordOf, UserFold, type FoldedEvent, type UserEvents } from '@laurel/engine';
import type { UserQueries } from '@laurel/users';
import { USER_AREAS } from '../user-areas.ts';

/** Which entries are asked for. */
export interface AskedPoints {
  readonly user: UserRef;
  readonly system: string;
  readonly at: Instant;
  /** null: the newest. */
  readonly before: AwardPlace | null;
  readonly limit: number;
}

const POINTS = USER_AREAS.findIndex(({ name }) => name === 'points');

/** By the rules, event by event. Holds no more than a page of entries, however many there are. */
export async function foldedPoints(
  events: UserEvents,
  history: ConfigurationHistory,
  { user, system, at, before, limit }: AskedPoints,
): Promise<ExplainedPoints> {
  const fold = new UserFold(USER_AREAS, history);
  const heard = new FiredIn(system);
  const newest: ExplainedAward[] = [];
  let total = 0n;
  await foldEvents(fold, events, user, {
    reasons: heard,
    applied: (folded) => {
      for (const entry of entriesOf(folded, heard.take(), total)) {
        total = entry.total;
        if (before !== null && !isBefore(entry, before)) continue;
        newest.push(entry);
        if (newest.length > limit + 1) newest.shift();
      }
    },
  });
  const stored = USER_AREAS[POINTS]?.encode(fold.document[POINTS]);
  const recorded = recordedPoints(stored, history.current, system, at);
  return pageOf(recorded, true, newest.reverse().slice(0, limit), newest.length > limit);
}

/** Hears what fires in one system. */
class FiredIn implements Reasons {
  readonly #system: string;
  #fired: TriggerFired[] = [];

  constructor(system: string) {
    this.#system = system;
  }

  /** Those since the last call. */
  take(): readonly TriggerFired[] {
    const fired = this.#fired;
    this.#fired = [];
    return fired;
  }

  triggerFired(fired: TriggerFired): void {
    if (fired.system === this.#system) this.#fired.push(fired);
  }
  triggerMissed(): void {}
  achievementMissed(): void {}
  conditionChecked(): void {}
}

/** What fired and gave something emitted its award, in the same order. */
function entriesOf({ record, occasion, effects }: FoldedEvent, fired: readonly TriggerFired[], before: bigint) {
  const system = fired[0]?.system;
  const awards = effectsOfType(effects, 'PointsAwarded').filter((award) => award.system === system);
  let total = before;
  return fired.map(({ triggerId, type, times, nominal, awarded, cutBy }, index): ExplainedAward => {
    const award = awarded === 0 ? null : (awards.shift() as PointsAwarded);
    if (award !== null) total = BigInt(award.total);
    const { zone, previousZone, day } = occasion.user;
    return {
      ...{ record, index, triggerId, type, cutBy, total },
      at: award?.at ?? occasion.occurredAt,
      date: formatDay(award?.day ?? day),
      zone: award?.due ? previousZone : zone,
      times: BigInt(times),
      nominal: BigInt(nominal),
      change: BigInt(awarded),
    };
  });
}

const isBefore = ({ record, index }: ExplainedAward, place: AwardPlace): boolean =>
  record.position < place.position || (record.position === place.position && index < place.index);

/** What a page of stored awards is made of. */
export interface StoredPointsParts {
  readonly points: Pick<PointsQueries, 'recorded'>;
  readonly users: Pick<UserQueries, 'zonesAt'>;
  readonly log: Pick<EventLookup, 'readAt'>;
}

/** From stored awards: four statements a page. How often a trigger fired and what was cut is not stored. */
export async function storedPoints(
  { points, users, log }: StoredPointsParts,
  history: ConfigurationHistory,
  { user, system, at, before, limit }: AskedPoints,
): Promise<ExplainedPoints> {
  const { account, subject } = user;
  const { awards, ...recorded } = await points.recorded(account, subject, system, at, { before, limit: limit + 1 });
  const shown = awards.slice(0, limit);
  const [records, zones] = await Promise.all([
    log.readAt([...new Set(shown.map(({ position }) => position))]),
    users.zonesAt(shown.map(({ position, award }) => ({ account, subject, position: position - (award.due ? 1 : 0) }))),
  ]);
  const byPosition = new Map(records.map((record) => [record.position, userRecordOf(record, subject)]));
  const entries = shown.map((placed, place) => {
    const record = byPosition.get(placed.position);
    if (record === undefined) throw new Error(`the log has no event at position ${placed.position}`);
    return storedEntry(placed, record, zones[place] ?? 'UTC', history);
  });
  return pageOf(recorded, false, entries, awards.length > limit);
}

function storedEntry(
  { index, award }: PlacedAward,
  record: UserRecord,
  zone: string,
  history: ConfigurationHistory,
): ExplainedAward {
  const { triggerId, at, day, awarded, total, due } = award;
  const granted = triggerId === GRANT_TRIGGER ? 'grant' : null;
  const type = due ? 'time' : (granted ?? history.findTrigger(triggerId)?.type ?? null);
  return {
    ...{ record, index, triggerId, type, at, zone, date: formatDay(day) },
    ...{ times: null, nominal: null, cutBy: null, change: BigInt(awarded), total: BigInt(total) },
  };
}

function pageOf(
  { recorded, due }: Pick<ExplainedPoints, 'recorded' | 'due'>,
  folded: boolean,
  entries: readonly ExplainedAward[],
  more: boolean,
): ExplainedPoints {
  const last = more ? entries.at(-1) : undefined;
  const next = last === undefined ? null : { position: last.record.position, index: last.index, folded };
  return { recorded, due, folded, entries, next };
}
