import type { Instant } from '@laurel/calendar';
import {
  achievementTriggerKind,
  namesWith,
  NO_NAMES,
  type AchievementDefinition,
  type AchievementTrigger,
  type Configuration,
  type FreezeDefinition,
  type FreezeTermsSince,
  type Metric,
  type NamedAchievement,
  type PointsSystemDefinition,
  type StreakDefinition,
  type TimeTriggerValidity,
} from '@laurel/kernel';
import type { AchievementDocument, ConfigurationDocument, StreakDocument } from '@laurel/schemas';
import { formatPath } from '../document/path.ts';
import { storedDocument } from '../document/stored-document.ts';
import { amountIn, instantIn } from '../document/trigger-content.ts';
import { isAccepted, validateDocument } from '../document/validate-document.ts';
import { closeBoosts, NO_BOOSTS } from './compile-boosts.ts';
import { compileConditions, ConditionHashes } from './compile-conditions.ts';
import { compileFields, type References } from './compile-fields.ts';
import { compileLeaderboard } from './compile-leaderboard.ts';
import { compilePointsSystem } from './compile-points.ts';
import { defined } from './defined.ts';
import { idOf } from './ids.ts';
import { NO_LINEAGE } from './lineage.ts';
import type { CompiledVersion, Lineage } from './lineage.ts';
import type { Publication } from './publication.ts';
import { closePeriods } from './validity-periods.ts';
import { compileOutgoing } from './compile-outgoing.ts';

/**
 * Compiles a version on top of the previous one, which is null for the first. The same publications give the same configuration.
 * @throws Error if the document was never accepted
 */
export function compileVersion(
  account: string,
  publication: Publication,
  before: CompiledVersion | null,
): CompiledVersion {
  const document = acceptedDocument(publication);
  const inherited = before?.lineage ?? NO_LINEAGE;
  const publishedAt = Math.max(publication.publishedAt, inherited.publishedAt);
  const metrics = document.metrics.map(({ key, name }): Metric => ({ id: idOf(account, 'metric', key), key, name }));
  const metricByKey = byKey(metrics);
  const named = document.achievements.map(({ key, name }): NamedAchievement => {
    return { id: idOf(account, 'achievement', key), key, name };
  });
  const hashes = new ConditionHashes(publication.attributeHashes);
  const references = { metricByKey, achievementByKey: byKey(named), hashes };
  const achievements = document.achievements.map((achievement) => compileAchievement(achievement, references));
  const context = { account, references, ...placeInTime(inherited, publishedAt, before === null) };
  const pointsSystems = document.points.map((system) => compilePointsSystem(system, context));
  const pointsSystemByKey = byKey(pointsSystems);
  const leaderboards = document.leaderboards.map((board) =>
    compileLeaderboard(board, account, { metricByKey, pointsSystemByKey }),
  );
  const freezeTerms = extendTerms(inherited.freezeTerms, document.streak?.freezes, context.inForceFrom);
  const configuration: Configuration = {
    account,
    version: publication.version,
    inForce: {
      version: publication.version,
      since: context.inForceFrom,
      before: before?.configuration.inForce ?? null,
    },
    metrics,
    metricByKey,
    streak: compileStreak(document.streak, before?.configuration.streak ?? null, freezeTerms, publication.version),
    weekStart: document.streak?.weekStart ?? 'monday',
    achievements,
    achievementByKey: byKey(achievements),
    pointsSystems,
    pointsSystemByKey,
    leaderboards,
    leaderboardByKey: byKey(leaderboards),
    outgoing: compileOutgoing(document.outgoing),
    names: namesWith(before?.configuration.names ?? NO_NAMES, { metrics, pointsSystems, achievements, leaderboards }),
  };
  return { configuration, lineage: { ...bequeath(inherited, pointsSystems, publishedAt), freezeTerms } };
}

function placeInTime(inherited: Lineage, publishedAt: Instant, isFirst: boolean) {
  return {
    inForceFrom: isFirst ? -Infinity : publishedAt,
    firstPublished: (id: string) => inherited.firstPublished.get(id) ?? publishedAt,
    spansBefore: (system: string) => inherited.validityPeriods.get(system) ?? [],
    publishedAt,
    boostsBefore: (system: string) => inherited.boosts.get(system) ?? NO_BOOSTS,
  };
}

function acceptedDocument({ version, document }: Publication): ConfigurationDocument {
  if (isAccepted(document)) return document;
  const checked = validateDocument(storedDocument(document));
  if (checked.document) return checked.document;
  const [first] = checked.faults;
  const reason = first ? `${formatPath(first.path)}: ${first.message}` : '';
  throw new Error(`configuration version ${version} cannot be read: ${reason}`);
}

function compileAchievement(achievement: AchievementDocument, references: References): AchievementDefinition {
  const { key, description, badgeUrl, group, tier, hidden, trigger } = achievement;
  const [activeFrom, activeUntil] = [instantIn(achievement.activeFrom), instantIn(achievement.activeUntil)];
  const { id, name } = defined(references.achievementByKey, key);
  const { fields } = achievementTriggerKind(trigger.type);
  const compiled = { type: trigger.type, ...compileFields(fields, trigger, references) } as AchievementTrigger;
  const shown = { id, key, name, description, badgeUrl, group, tier, hidden };
  const where = compileConditions(achievement.where, references.hashes);
  return { ...shown, activeFrom, activeUntil, where, trigger: compiled };
}

/** A changed `frequency` or `weekStart` starts all streaks anew (specification, section 4): a new generation. */
function compileStreak(
  streak: StreakDocument | undefined,
  before: StreakDefinition | null,
  freezeTerms: readonly FreezeTermsSince[],
  version: number,
): StreakDefinition | null {
  if (streak === undefined) return null;
  const { frequency, weekStart, mode } = streak;
  const continues = before !== null && before.frequency === frequency && before.weekStart === weekStart;
  return {
    generation: continues ? before.generation : version,
    frequency,
    weekStart,
    period: { frequency, weekStart },
    mode,
    conditions: streak.conditions.map(({ metric, threshold }) => ({ metric, threshold: amountIn(threshold) })),
    freezes: freezeTerms.at(-1)?.freezes ?? null,
    freezeTerms,
  };
}

/**
 * The terms of freezes in all versions, including the new version's, which hold from its publication on. Terms that are
 * published again unchanged keep their start.
 */
function extendTerms(
  terms: readonly FreezeTermsSince[],
  next: StreakDocument['freezes'] | undefined,
  inForceFrom: Instant,
): readonly FreezeTermsSince[] {
  const last = terms.at(-1)?.freezes ?? null;
  if (isSame(last, next ?? null)) return terms;
  const freezes = next ? { ...termsIn(next), since: inForceFrom } : null;
  // Two versions may be published within one millisecond.
  return [...terms.filter(({ since }) => since < inForceFrom), { since: inForceFrom, freezes }];
}

const isSame = (one: FreezeDefinition | null, other: Terms | null): boolean =>
  one === null || other === null
    ? one === other
    : one.initial === other.initial &&
      one.max === other.max &&
      one.earnEvery === other.earnEvery &&
      one.earn === other.earn;

type Terms = NonNullable<StreakDocument['freezes']>;

const termsIn = ({ initial, max, earnEvery, earn }: Terms) => ({ initial, max, earnEvery, earn });

function bequeath(
  inherited: Lineage,
  systems: readonly PointsSystemDefinition[],
  publishedAt: Instant,
): Omit<Lineage, 'freezeTerms'> {
  const triggers = systems.flatMap((system) => system.triggers);
  return {
    publishedAt,
    firstPublished: new Map([...inherited.firstPublished, ...triggers.map((t) => [t.id, t.publishedAt] as const)]),
    triggers: new Map([...inherited.triggers, ...triggers.map((trigger) => [trigger.id, trigger] as const)]),
    validityPeriods: new Map([
      ...closedPeriods(inherited, publishedAt),
      ...systems.map((s) => [s.key, s.validityPeriods] as const),
    ]),
    boosts: new Map([
      ...[...inherited.boosts].map(([key, boosts]) => [key, closeBoosts(boosts, publishedAt)] as const),
      ...systems.map(({ key, boosts, removedBoosts }) => [key, { boosts, removedBoosts }] as const),
    ]),
  };
}

/** Closes all validity periods, as for a points system that the version no longer has. */
function closedPeriods(inherited: Lineage, at: Instant): (readonly [string, readonly TimeTriggerValidity[]])[] {
  return [...inherited.validityPeriods].map(([key, spans]) => [key, closePeriods(spans, at)]);
}

function byKey<T extends { readonly key: string }>(all: readonly T[]): ReadonlyMap<string, T> {
  return new Map(all.map((one) => [one.key, one]));
}
