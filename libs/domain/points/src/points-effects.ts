import type { Instant } from '@laurel/calendar';
import {
  EFFECT_COLUMNS,
  systemOfTriggerNumber,
  type ConfiguredNames,
  type Effect,
  type Occasion,
  type PointsAwarded,
  type StoredEffect,
} from '@laurel/kernel';
import type { EffectColumns } from '@laurel/ports';

const COLUMN = EFFECT_COLUMNS.points;

/** The columns of the points area in a row of effects; null without points effects. Effects of other areas are left out. */
export function encodePointsEffects(
  effects: readonly Effect[],
  occasion: Pick<Occasion, 'eventId' | 'occurredAt'>,
  names: ConfiguredNames,
): EffectColumns | null {
  const points = COLUMN.encode(effects, occasion, names);
  if (points === null) return null;
  const systems: number[] = [];
  let fired = false;
  for (const effect of effects) {
    if (effect.type !== 'PointsAwarded') continue;
    const system = names.systems.numberOf(effect.system);
    if (!systems.includes(system)) systems.push(system);
    fired ||= !effect.due;
  }
  return {
    points,
    ...(fired && { event_id: occasion.eventId }),
    ...(systems.length > 0 && { systems: systems.sort((a, b) => a - b).join(',') }),
  };
}

/**
 * The last `most` effects of a row, in order, and the number of earlier ones. @throws RangeError as
 * `EffectColumn.decode`
 */
export function lastPointsEffects(points: string, event: Instant, names: ConfiguredNames, most: number) {
  const stored = COLUMN.parse(points);
  const leftOut = Math.max(0, stored.length - most);
  const effects = stored.slice(leftOut).map((one) => COLUMN.read(one, { occurredAt: event }, names));
  return { effects, leftOut };
}

/** The awards of a row in one system, in the order in which they were given. */
export interface SystemAwards {
  readonly count: number;
  readonly at: (index: number) => PointsAwarded;
}

/**
 * Reads only the requested awards of a row: one event may have recorded tens of thousands of time awards.
 * @throws RangeError as `EffectColumn.decode`
 */
export function awardsInSystem(points: string, event: Instant, names: ConfiguredNames, system: string): SystemAwards {
  const inSystem = new Map<number, boolean>();
  const isAsked = (stored: StoredEffect): boolean => {
    if (COLUMN.typeOf(stored) !== 'PointsAwarded') return false;
    const [trigger] = stored as readonly [number];
    const known = inSystem.get(trigger) ?? systemOfTriggerNumber(trigger, names) === system;
    inSystem.set(trigger, known);
    return known;
  };
  const awards = COLUMN.parse(points).filter(isAsked);
  const at = (index: number) => COLUMN.read(awards[index] as StoredEffect, { occurredAt: event }, names);
  return { count: awards.length, at: (index) => at(index) as PointsAwarded };
}
