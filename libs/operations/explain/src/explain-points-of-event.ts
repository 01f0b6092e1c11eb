import type {
  ConfigurationHistory,
  ExplanationListener,
  TriggerMissed,
  TriggerPassedOver,
  RecordedUserEvent,
} from '@laurel/kernel';
import type { ExplainedPointsOfEvent } from '@laurel/ports';
import type { EventLookup } from '@laurel/event-store';
import { eachEvent, foldEvent, UserFold, recordedUserEventOf, type UserEvents } from '@laurel/engine';
import { USER_AREAS } from '@laurel/all-areas';
import {
  entriesOf,
  FiredIn,
  pointsOf,
  storedPoints,
  type PointsQuery,
  type StoredPointsDependencies,
} from './explain-points.ts';
import { foldStartOf, type CorrectionApplied, type FoldedUser } from './folded-user.ts';

interface EventQuery extends Pick<PointsQuery, 'user' | 'system' | 'at'> {
  readonly record: RecordedUserEvent;
}

/** Folds the user up to the event. */
export async function foldedPointsOfEvent(
  events: UserEvents,
  history: ConfigurationHistory,
  query: EventQuery,
): Promise<ExplainedPointsOfEvent> {
  const { user, record } = query;
  const fold = new UserFold(USER_AREAS, history);
  await eachEvent(events, user, { after: 0, upTo: record.position - 1 }, async (earlier) => {
    const { effects } = await foldEvent({ fold, events, user }, earlier);
    return effects.length;
  });
  return lastOf(fold, history, query, (reasons) => foldEvent({ fold, events, user }, record, { reasons }));
}

/** Explains an event of a user who is already folded: applies only the few events between a snapshot and this one. */
export async function snapshotPointsOfEvent(
  { segments }: FoldedUser,
  log: Pick<EventLookup, 'readAt'>,
  history: ConfigurationHistory,
  query: EventQuery,
): Promise<ExplainedPointsOfEvent> {
  const { user, record } = query;
  const segment = segments.findLast(({ first }) => first <= record.position);
  const fold = new UserFold(USER_AREAS, history, foldStartOf(segment?.snapshot ?? null, user));
  const { correction = null } = segment ?? {};
  if (correction?.record.position === record.position) return lastOf(fold, history, query, () => correction);
  const before = segment?.positions.filter((position) => position < record.position) ?? [];
  for (const earlier of before.length === 0 ? [] : await log.readAt(before))
    fold.apply(recordedUserEventOf(earlier, user.subject));
  return lastOf(fold, history, query, (heard) => fold.apply(record, heard));
}

/** Applies the event after folding the earlier ones. */
async function lastOf(
  fold: UserFold,
  history: ConfigurationHistory,
  { system, at, record }: EventQuery,
  apply: (heard: ExplanationListener) => CorrectionApplied | Promise<CorrectionApplied>,
): Promise<ExplainedPointsOfEvent> {
  const heard = new HeardOfEvent(system);
  const total = pointsOf(fold.document, history, system, at).recorded;
  const folded = await apply(heard);
  const fired = entriesOf(folded, system, heard.take(), total);
  return { record, folded: true, preparing: false, fired, missed: heard.missed };
}

/** Reads stored awards. Triggers that gave nothing are not stored. */
export async function storedPointsOfEvent(
  dependencies: StoredPointsDependencies,
  history: ConfigurationHistory,
  { record, ...asked }: EventQuery,
): Promise<ExplainedPointsOfEvent> {
  const before = { position: record.position + 1, index: 0, folded: false };
  const { entries } = await storedPoints(dependencies, history, { ...asked, before, limit: STORED_SHOWN });
  const fired = entries.filter((entry) => entry.record.position === record.position).reverse();
  return { record, folded: false, preparing: false, fired, missed: null };
}

const STORED_SHOWN = 50;

/** Also notes the triggers of the system that did not fire. */
class HeardOfEvent extends FiredIn {
  readonly missed: NonNullable<ExplainedPointsOfEvent['missed']>[number][] = [];

  override triggerMissed({ system, ...missed }: TriggerMissed): void {
    if (system === this.system) this.missed.push({ type: 'below_threshold', ...missed });
  }
  override triggerPassedOver({ system, ...passedOver }: TriggerPassedOver): void {
    if (system === this.system) this.missed.push({ type: 'passed_over', ...passedOver });
  }
}
