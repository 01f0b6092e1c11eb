import { exactOf, type Exact } from '@laurel/amounts';
import { dayAt, type Day, type Instant } from '@laurel/calendar';
import {
  CORRECTION_TRIGGER,
  GRANT_TRIGGER,
  type ConfiguredNames,
  type LevelChanged,
  type Occasion,
  type PointsAwarded,
  type PointsEffect,
} from '@laurel/kernel';
import type { EffectColumns } from '@laurel/ports';

/**
 * The column `points` of an event's row: a list, in the order in which it happened, of
 *
 * | element                              | stands for                                                                        |
 * | ------------------------------------ | --------------------------------------------------------------------------------- |
 * | `[trigger, awarded, total]`          | an award of the event itself                                                      |
 * | `[trigger, awarded, total, ahead]`   | likewise, on a clock whose date is so many days ahead of that in UTC              |
 * | `[trigger, awarded, total, ahead, at]` | a time award that fell due at that instant, in milliseconds                     |
 * | `["level", system, from, to]`        | a level that changed, by keys; a fifth element, 1: because of time awards         |
 *
 * Triggers and systems are numbers, see `ConfiguredNames`; a trigger says its system. In the place of the trigger of a grant stands the
 * number of its system, negative; in that of a correction, the same less {@link CORRECTIONS}. What is beyond 2^53 is text.
 */
type Stored = readonly Element[];
type Element = StoredAward | StoredLevel;
type StoredAward = readonly [trigger: number, awarded: StoredExact, total: StoredExact, ahead?: number, at?: Instant];
type StoredLevel = readonly [kind: 'level', system: number, from: string | null, to: string | null, due?: 1];
type StoredExact = number | string;

/** The row's columns of the points area; null: the event caused nothing here. */
export function encodePointsEffects(
  effects: readonly PointsEffect[],
  { eventId }: Pick<Occasion, 'eventId'>,
  names: ConfiguredNames,
): EffectColumns | null {
  if (effects.length === 0) return null;
  const systems: number[] = [];
  const stored: Element[] = [];
  let fired = false;
  for (const effect of effects) {
    if (effect.type === 'LevelChanged') {
      stored.push(storedLevel(effect, names));
      continue;
    }
    const system = names.systems.numberOf(effect.system);
    if (!systems.includes(system)) systems.push(system);
    stored.push(storedAward(effect, names));
    fired ||= !effect.due;
  }
  return {
    points: JSON.stringify(stored),
    ...(fired && { event_id: eventId }),
    ...(systems.length > 0 && { systems: systems.sort((a, b) => a - b).join(',') }),
  };
}

function storedAward(award: PointsAwarded, names: ConfiguredNames): StoredAward {
  const { awarded, total, at, day, due } = award;
  const trigger = triggerNumber(award, names);
  const ahead = day - utcDay(at);
  const [given, after] = [storedExact(awarded), storedExact(total)];
  if (due) return [trigger, given, after, ahead, at];
  return ahead === 0 ? [trigger, given, after] : [trigger, given, after, ahead];
}

/** More than there are numbers of systems. */
export const CORRECTIONS = 1_000_000;

function triggerNumber({ triggerId, system }: PointsAwarded, { triggers, systems }: ConfiguredNames): number {
  if (triggerId === GRANT_TRIGGER) return -systems.numberOf(system);
  return triggerId === CORRECTION_TRIGGER ? -systems.numberOf(system) - CORRECTIONS : triggers.numberOf(triggerId);
}

/** By the number that stands for it. */
function triggerNumbered(number: number, { triggers, systems, systemOfTrigger }: ConfiguredNames) {
  if (number < -CORRECTIONS) return { triggerId: CORRECTION_TRIGGER, system: systems.nameOf(-number - CORRECTIONS) };
  if (number < 0) return { triggerId: GRANT_TRIGGER, system: systems.nameOf(-number) };
  const triggerId = triggers.nameOf(number);
  return { triggerId, system: systemOfTrigger.get(triggerId) as string };
}

function storedLevel({ system, from, to, due }: LevelChanged, names: ConfiguredNames): StoredLevel {
  const number = names.systems.numberOf(system);
  return due ? ['level', number, from, to, 1] : ['level', number, from, to];
}

/** @param event the instant of the event whose row it is. @throws RangeError for numbers of a version that is not known here */
export const decodePointsEffects = (points: string, event: Instant, names: ConfiguredNames): readonly PointsEffect[] =>
  (JSON.parse(points) as Stored).map((element) => effectOf(element, event, names));

const effectOf = (element: Element, event: Instant, names: ConfiguredNames): PointsEffect =>
  isLevel(element) ? levelOf(element, names) : awardOf(element, event, names);

/** The last `most` effects of a row, in their order, and how many come before them. @throws RangeError as {@link decodePointsEffects} */
export function lastPointsEffects(points: string, event: Instant, names: ConfiguredNames, most: number) {
  const stored = JSON.parse(points) as Stored;
  const leftOut = Math.max(0, stored.length - most);
  return { effects: stored.slice(leftOut).map((element) => effectOf(element, event, names)), leftOut };
}

/** The awards of a row in one system, in the order in which they were given. */
export interface SystemAwards {
  readonly count: number;
  readonly at: (index: number) => PointsAwarded;
}

/**
 * Reads of a row only the awards that are asked for: one event may have recorded tens of thousands of time awards.
 * @throws RangeError as {@link decodePointsEffects}
 */
export function awardsInSystem(points: string, event: Instant, names: ConfiguredNames, system: string): SystemAwards {
  const inSystem = new Map<number, boolean>();
  const isAsked = (element: Element): element is StoredAward => {
    if (isLevel(element)) return false;
    const [trigger] = element;
    const known = inSystem.get(trigger) ?? triggerNumbered(trigger, names).system === system;
    inSystem.set(trigger, known);
    return known;
  };
  const awards = (JSON.parse(points) as Stored).filter(isAsked);
  return { count: awards.length, at: (index) => awardOf(awards[index] as StoredAward, event, names) };
}

const isLevel = (element: Element): element is StoredLevel => element[0] === 'level';

function awardOf([trigger, awarded, total, ahead = 0, dueAt]: StoredAward, event: Instant, names: ConfiguredNames) {
  const at = dueAt ?? event;
  const amounts = { awarded: exactIn(awarded), total: exactIn(total) };
  const award: PointsAwarded = {
    ...{ type: 'PointsAwarded', ...triggerNumbered(trigger, names), ...amounts, at },
    ...{ day: utcDay(at) + ahead, due: dueAt !== undefined },
  };
  return award;
}

const levelOf = ([, system, from, to, due]: StoredLevel, names: ConfiguredNames): LevelChanged => ({
  ...{ type: 'LevelChanged', system: names.systems.nameOf(system), from, to, due: due === 1 },
});

const storedExact = (value: Exact): StoredExact => (typeof value === 'bigint' ? String(value) : value);
const exactIn = (value: StoredExact): Exact => (typeof value === 'string' ? exactOf(BigInt(value)) : value);

const utcDay = (at: Instant): Day => dayAt(at, 'UTC');
