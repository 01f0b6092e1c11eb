import type { Instant } from '@laurel/calendar';
import type {
  AchievementDefinition,
  Metric,
  PointsLevel,
  PointsSystemDefinition,
  PointsTrigger,
  TimeTrigger,
  TimeTriggerSpan,
} from '@laurel/kernel';
import type { LevelDocument, PointsSystemDocument, PointsTriggerDocument } from '@laurel/schemas';
import { defined } from './defined.ts';
import { idOf, triggerId } from './ids.ts';
import { extendSpans } from './time-spans.ts';
import type { ActiveTrigger } from './time-spans.ts';
import { activeFrom, amountIn } from './trigger-content.ts';

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
  const compiled = system.triggers.map((document) => ({ document, trigger: compileTrigger(document, key, context) }));
  const timeTriggers = compiled.flatMap(({ document, trigger }) => activeTrigger(document, trigger));
  return {
    id: idOf(context.account, 'points', key),
    key,
    name,
    description,
    badgeUrl,
    maxPoints,
    triggers: compiled.map(({ trigger }) => trigger),
    levels: compileLevels(system, context.account),
    timeSpans: extendSpans(context.spansBefore(key), { maxPoints, timeTriggers, inForceFrom: context.inForceFrom }),
  };
}

function activeTrigger(document: PointsTriggerDocument, trigger: PointsTrigger): ActiveTrigger[] {
  return document.type === 'time' && trigger.type === 'time' ? [{ trigger, activeFrom: activeFrom(document) }] : [];
}

function compileTrigger(document: PointsTriggerDocument, system: string, context: VersionContext): PointsTrigger {
  const id = triggerId(context.account, system, document);
  const common = { id, points: BigInt(document.points), publishedAt: context.firstPublished(id) };
  switch (document.type) {
    case 'metric': {
      const metric = defined(context.metricByKey, document.metric);
      return { ...common, type: 'metric', metric, threshold: amountIn(document.threshold) };
    }
    case 'streak':
      return { ...common, type: 'streak', length: document.length };
    case 'achievement': {
      const { id, key, name } = defined(context.achievementByKey, document.achievement);
      return { ...common, type: 'achievement', achievement: { id, key, name } };
    }
    case 'user_creation':
      return { ...common, type: 'user_creation' };
    case 'time':
      return compileTimeTrigger(document, common);
  }
}

const UNIT_MS = { hour: 3_600_000, day: 86_400_000 } as const;

type CommonOfTrigger = Pick<TimeTrigger, 'id' | 'points' | 'publishedAt'>;

function compileTimeTrigger(document: PointsTriggerDocument & { type: 'time' }, common: CommonOfTrigger): TimeTrigger {
  const { unit, interval } = document;
  return { ...common, type: 'time', unit, interval, everyMs: UNIT_MS[unit] * interval };
}

function compileLevels(system: PointsSystemDocument, account: string): PointsLevel[] {
  return system.levels.toSorted((a, b) => a.points - b.points).map((level) => compileLevel(level, system.key, account));
}

function compileLevel(level: LevelDocument, system: string, account: string): PointsLevel {
  const { key, name, description, badgeUrl, points } = level;
  return { id: idOf(account, 'level', system, key), key, name, description, badgeUrl, points: BigInt(points) };
}
