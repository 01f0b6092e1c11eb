import type { Amount } from '@laurel/amounts';
import type { Instant, Zone } from '@laurel/calendar';
import type { CorrectionRecorded, RecordedEvent, RecordedUserEvent } from '@laurel/kernel';
import type { CorrectionsOfEvent } from '@laurel/ports';

export type CorrectionRecord = RecordedEvent<CorrectionRecorded>;

/** The content of a correction, and its log position. */
type PlacedCorrection = Pick<CorrectionRecord, 'position' | 'fact'>;

/** All corrections of one event, combined. */
export interface EventChange {
  readonly retracted: boolean;
  readonly value?: Amount;
  readonly occurredAt?: Instant;
  readonly tz?: Zone;
  /**
   * Set if the instant was amended: the position of the correction that amends it, and the event's index in that
   * correction.
   */
  readonly movedBy?: { readonly position: number; readonly place: number };
}

/** By the position of the corrected event. */
export type EventChanges = ReadonlyMap<number, EventChange>;

/**
 * Combines a user's corrections; later ones override earlier ones. A retracted correction has no effect. A retracted
 * event stays retracted when its value is amended; only retracting the retraction restores it.
 * @param corrections all corrections of the user, in the order of the log
 */
export function changesOf(corrections: readonly PlacedCorrection[]): EventChanges {
  const changes = new Map<number, EventChange>();
  for (const { position: by, fact } of effective(corrections))
    for (const [place, correction] of fact.corrections.entries()) {
      const { position } = correction;
      const earlier = changes.get(position) ?? UNCHANGED;
      if (correction.retract) changes.set(position, { ...earlier, retracted: true });
      else {
        const amended = AMENDED.flatMap((field) => {
          const value = correction[field] ?? earlier[field];
          return value === undefined ? [] : [[field, value] as const];
        });
        const { retracted, movedBy = null } = earlier;
        const moved = correction.occurredAt === undefined ? movedBy : { position: by, place };
        changes.set(position, { retracted, ...Object.fromEntries(amended), ...(moved && { movedBy: moved }) });
      }
    }
  return changes;
}

/** The fields that an amendment may change. */
const AMENDED = ['value', 'occurredAt', 'tz'] as const;

const UNCHANGED: EventChange = { retracted: false };

/**
 * The corrections that no later effective correction retracts. Only later ones can retract, so this goes from the
 * newest to the oldest.
 */
function effective<Placed extends PlacedCorrection>(corrections: readonly Placed[]): readonly Placed[] {
  const retracted = new Set<number>();
  return corrections
    .toReversed()
    .filter(({ position, fact }) => {
      if (retracted.has(position)) return false;
      for (const correction of fact.corrections) if (correction.retract) retracted.add(correction.position);
      return true;
    })
    .toReversed();
}

/**
 * The corrections of each event, by its position.
 * @param corrections all corrections of the user, in the order of the log
 */
export function correctionsOfEvents(corrections: readonly CorrectionRecord[]): ReadonlyMap<number, CorrectionsOfEvent> {
  const deciding = new Map<number, Map<keyof EventChange, CorrectionRecord>>();
  for (const record of effective(corrections))
    for (const correction of record.fact.corrections) {
      const fields = deciding.get(correction.position) ?? new Map<keyof EventChange, CorrectionRecord>();
      deciding.set(correction.position, fields);
      if (correction.retract) fields.set('retracted', record);
      else for (const field of AMENDED) if (correction[field] !== undefined) fields.set(field, record);
    }
  return new Map(
    [...changesOf(corrections)].map(([position, { movedBy: _, ...change }]) => {
      const latest = new Set(deciding.get(position)?.values());
      return [
        position,
        { ...change, corrections: [...latest].toSorted((one, other) => one.position - other.position) },
      ];
    }),
  );
}

/** The event with its corrections applied, or null if it is retracted. */
export function changedRecord(record: RecordedUserEvent, changes: EventChanges): RecordedUserEvent | null {
  const change = changes.get(record.position);
  if (change === undefined) return record;
  if (change.retracted) return null;
  const { occurredAt = record.occurredAt, value, tz } = change;
  const { fact } = record;
  if (fact.type !== 'MetricEventRecorded') return { ...record, occurredAt };
  const amended = { ...fact, value: value ?? fact.value, user: tz === undefined ? fact.user : { ...fact.user, tz } };
  return { ...record, occurredAt, fact: amended };
}

/** Positions of the events whose instants these corrections name. */
export const amendedInstants = (corrections: readonly Pick<CorrectionRecord, 'fact'>[]): readonly number[] => {
  const named = corrections.flatMap(({ fact }) =>
    fact.corrections.filter((one) => !one.retract && one.occurredAt !== undefined),
  );
  return [...new Set(named.map(({ position }) => position))].sort((one, other) => one - other);
};
