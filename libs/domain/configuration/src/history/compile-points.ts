import type { Instant } from '@laurel/calendar';
import {
  pointsTriggerKind,
  type AchievementDefinition,
  type Field,
  type Metric,
  type PointsLevel,
  type PointsSystemDefinition,
  type PointsTrigger,
  type TimeTriggerSpan,
} from '@laurel/kernel';
import type { LevelDocument, PointsSystemDocument, PointsTriggerDocument } from '@laurel/schemas';
import { defined } from './defined.ts';
import { idOf, triggerId } from './ids.ts';
import { extendSpans } from './time-spans.ts';
import { amountIn, instantIn } from './trigger-content.ts';

/** What the parts of one version refer to, and where it stands in time. */
export interface VersionContext {
  readonly account: string;
  readonly metricByKey: ReadonlyMap<string, Metric>;
  readonly achievementByKey: ReadonlyMap<string, AchievementDefinition>;
  /** When its time triggers come into force: its publication, or the beginning of time for the first version. */
  readonly inForceFrom: Instant;
  /** Publication of the version in which the trigger with that id first appeared. */
  firstPublished(triggerId: string): Instant;
  /** Spans of the points system over all versions before. */
  spansBefore(system: string): readonly TimeTriggerSpan[];
}

export function compilePointsSystem(system: PointsSystemDocument, context: VersionContext): PointsSystemDefinition {
  const { key, name, description, badgeUrl } = system;
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
    triggers,
    levels: compileLevels(system, context.account),
    timeSpans: extendSpans(context.spansBefore(key), { maxPoints, timeTriggers, inForceFrom: context.inForceFrom }),
  };
}

function compileTrigger(document: PointsTriggerDocument, system: string, context: VersionContext): PointsTrigger {
  const id = triggerId(context.account, system, document);
  const compiled = Object.entries(pointsTriggerKind(document.type).fields).map(
    ([name, field]) => [name, compileField(field, document[name as keyof typeof document], context)] as const,
  );
  const common = { id, type: document.type, publishedAt: context.firstPublished(id) };
  return { ...common, ...Object.fromEntries(compiled) } as PointsTrigger;
}

/** @param written as the schema of the document has accepted it */
function compileField({ holds }: Field, written: unknown, context: VersionContext): unknown {
  switch (holds) {
    case 'metric':
      return defined(context.metricByKey, written as string);
    case 'achievement': {
      const { id, key, name } = defined(context.achievementByKey, written as string);
      return { id, key, name };
    }
    case 'amount':
      return amountIn(written as number);
    case 'points':
      return BigInt(written as number);
    case 'optional instant':
      return instantIn(written as string | null);
    default:
      return written;
  }
}

function compileLevels(system: PointsSystemDocument, account: string): PointsLevel[] {
  return system.levels.toSorted((a, b) => a.points - b.points).map((level) => compileLevel(level, system.key, account));
}

function compileLevel(level: LevelDocument, system: string, account: string): PointsLevel {
  const { key, name, description, badgeUrl, points } = level;
  return { id: idOf(account, 'level', system, key), key, name, description, badgeUrl, points: BigInt(points) };
}
