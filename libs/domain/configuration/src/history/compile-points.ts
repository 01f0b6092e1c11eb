import type { Instant } from '@laurel/calendar';
import {
  pointsTriggerKind,
  type PointsLevel,
  type PointsSystemDefinition,
  type PointsTrigger,
  type TimeTriggerValidity,
} from '@laurel/kernel';
import type { LevelDocument, PointsSystemDocument, PointsTriggerDocument } from '@laurel/schemas';
import { compileBoosts, type SystemBoosts } from './compile-boosts.ts';
import { compileCap, compileFields, type References } from './compile-fields.ts';
import { idOf, triggerId } from './ids.ts';
import { extendPeriods } from './validity-periods.ts';

/** The definitions that points systems of a version refer to, and the instant at which it comes into force. */
export interface VersionContext {
  readonly account: string;
  readonly references: References;
  /** When its time triggers come into force: its publication, or -Infinity for the first version. */
  readonly inForceFrom: Instant;
  /** Publication of the version in which the trigger with that id first appeared. */
  firstPublished(triggerId: string): Instant;
  /** Validity periods of the points system in all earlier versions. */
  spansBefore(system: string): readonly TimeTriggerValidity[];
  readonly publishedAt: Instant;
  /** The boosts of the points system in the version before. */
  boostsBefore(system: string): SystemBoosts;
}

export function compilePointsSystem(system: PointsSystemDocument, context: VersionContext): PointsSystemDefinition {
  const { key, name, description, badgeUrl, levelsBy } = system;
  const maxPoints = system.maxPoints === null ? null : BigInt(system.maxPoints);
  const triggers = system.triggers.map((trigger) => compileTrigger(trigger, key, context));
  const timeTriggers = triggers.filter((trigger) => trigger.type === 'time');
  return {
    id: idOf(context.account, 'points', key),
    key,
    name,
    description,
    badgeUrl,
    maxPoints,
    caps: system.caps.map(compileCap),
    triggers,
    levels: compileLevels(system, context.account),
    levelsBy,
    ...compileBoosts(system, context),
    validityPeriods: extendPeriods(context.spansBefore(key), {
      maxPoints,
      timeTriggers,
      inForceFrom: context.inForceFrom,
    }),
  };
}

function compileTrigger(document: PointsTriggerDocument, system: string, context: VersionContext): PointsTrigger {
  const id = triggerId(context.account, system, document);
  const compiled = compileFields(pointsTriggerKind(document.type).fields, document, context.references);
  return { id, type: document.type, publishedAt: context.firstPublished(id), ...compiled } as PointsTrigger;
}

function compileLevels(system: PointsSystemDocument, account: string): PointsLevel[] {
  return system.levels.toSorted((a, b) => a.points - b.points).map((level) => compileLevel(level, system.key, account));
}

function compileLevel(level: LevelDocument, system: string, account: string): PointsLevel {
  const { key, name, description, badgeUrl, points } = level;
  return { id: idOf(account, 'level', system, key), key, name, description, badgeUrl, points: BigInt(points) };
}
