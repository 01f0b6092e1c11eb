import {
  effectsOfType,
  groupBy,
  isBuiltInTrigger,
  type AwardFilter,
  type AwardTriggerType,
  type LevelChanged,
  type PointsAwarded,
  type PointsSystemDefinition,
} from '@laurel/kernel';
import { jsonInteger, levelNamed, pointsSystemFields, storedAwardAnswer, type EventPoints } from '@laurel/schemas';
import type { Instant } from '@laurel/calendar';
import type { Composer } from './composer.ts';
import { beginningWith, type JsonText } from './json-text.ts';
import { isOfNow, oncePerEvent, type UserSourceEvent } from './source-event.ts';

/** The change of a user's points in one system by an event. */
interface ChangedSystem {
  readonly key: string;
  readonly at: Instant;
  readonly points: () => JsonText;
  readonly system: PointsSystemDefinition;
  /** Whether `outgoing.events` names points.changed for one of these awards. */
  readonly isNamed: boolean;
  readonly before: bigint;
  readonly after: bigint;
  readonly levels: readonly LevelChanged[];
}

export const pointsChanged: Composer<'points.changed'> = (event) =>
  changedSystems(event)
    .filter(({ before, after, isNamed }) => before !== after && isNamed)
    .map(({ key, at, points }) => ({ subject: key, at, fields: { points: points() } }));

export const levelChanged: Composer<'points.level_changed'> = (event) =>
  changedSystems(event).flatMap(({ key, at, points, system, levels }) => {
    const [from, to] = [levels[0]?.from, levels.at(-1)?.to];
    if (from === to) return [];
    const named = (level: string | null | undefined) => levelNamed(system, level ?? null);
    const fields = { points: points(), previousLevel: named(from), newLevel: named(to) };
    return [{ subject: key, at, fields }];
  });

/** Reason and reference are personal fields of the record. */
export const pointsSpent: Composer<'points.spent'> = (event) => {
  const { eventId, fact } = event.record;
  if (fact.type !== 'SpendRequested') return [];
  const { system: key, reason = null, reference = null } = fact;
  const changed = changedSystems(event).find((system) => system.key === key);
  return effectsOfType(event.effects, 'RequestAccepted').flatMap(({ amount }) => {
    if (changed === undefined) return [];
    const fields = { eventId, amount: Number(amount), points: changed.points(), reason, reference };
    return [{ subject: key, at: event.record.occurredAt, fields }];
  });
};

const ofSystem = beginningWith<PointsSystemDefinition>(pointsSystemFields);

/** The systems in the order in which they were first changed. Awards that fell due before outcomes are made do not count. */
const changedSystems = oncePerEvent((event): readonly ChangedSystem[] => {
  const awards = effectsOfType(event.effects, 'PointsAwarded').filter((award) => isOfNow(event, award));
  const levels = effectsOfType(event.effects, 'LevelChanged');
  return [...groupBy(awards, ({ system }) => system)].flatMap(([key, given]) => {
    const system = event.configuration.pointsSystemByKey.get(key);
    if (system === undefined) return [];
    const ownLevels = levels.filter((level) => level.system === key);
    return [changedSystem(event, system, given, ownLevels)];
  });
});

function changedSystem(
  { record, awardIdOf, configuration }: UserSourceEvent,
  system: PointsSystemDefinition,
  given: readonly PointsAwarded[],
  levels: readonly LevelChanged[],
): ChangedSystem {
  const own = given.filter(({ due }) => !due);
  const [first, last] = [given[0], given.at(-1)];
  const after = BigInt(last?.total ?? 0);
  const before = BigInt(first?.total ?? 0) - BigInt(first?.awarded ?? 0);
  const triggerOf = (id: string) => system.triggers.find((trigger) => trigger.id === id) ?? null;
  let made: JsonText | null = null;
  const points = () =>
    (made ??= ofSystem(system, {
      total: jsonInteger(after),
      added: jsonInteger(given.reduce((sum, { awarded }) => sum + BigInt(awarded), 0n)),
      ...(levels.length > 0 && { level: levelNamed(system, levels.at(-1)?.to ?? null) }),
      awards: own.map((award) => {
        const stored = { ...award, awarded: BigInt(award.awarded), total: BigInt(award.total) };
        return storedAwardAnswer(stored, awardIdOf(award), triggerOf(award.triggerId));
      }),
    } satisfies Omit<EventPoints, keyof ReturnType<typeof pointsSystemFields>>));
  const at = own.length > 0 ? record.occurredAt : Math.max(...given.map((award) => award.at));
  const isNamed = given.some((award) => isNamedBy(configuration.outgoing?.awards ?? null, system, award));
  return { key: system.key, at, points, system, isNamed, before, after, levels };
}

function isNamedBy(
  filters: readonly AwardFilter[] | null,
  system: PointsSystemDefinition,
  award: PointsAwarded,
): boolean {
  if (filters === null) return true;
  const type = awardTriggerType(system, award);
  return filters.some(
    ({ pointsSystems, triggers }) =>
      (pointsSystems?.has(system.key) ?? true) && (triggers === undefined || (type !== null && triggers.has(type))),
  );
}

/** null if the version of the record no longer has the trigger. Only time awards fall due. */
function awardTriggerType(system: PointsSystemDefinition, { triggerId, due }: PointsAwarded): AwardTriggerType | null {
  if (isBuiltInTrigger(triggerId)) return triggerId;
  if (due) return 'time';
  return system.triggers.find(({ id }) => id === triggerId)?.type ?? null;
}
