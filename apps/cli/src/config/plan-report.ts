import type { ConfigurationPlanAnswer } from '@laurel/schemas';
import { plainText } from '../plain-text.ts';

type Change = ConfigurationPlanAnswer['changes'][number];

/** A plan for people. Its texts come from a service, so they may contain anything. */
export function planReport({ current, next, changes }: ConfigurationPlanAnswer): string[] {
  if (changes.length === 0) return [`version ${current} is in force and says the same: nothing would change`];
  return [versionLine(current, next), '', ...alike(changes).flatMap(linesOf), '', summary(changes)];
}

function versionLine(current: number | null, next: number): string {
  if (current === null) return `nothing was published yet; this would be version ${next}`;
  return current === next
    ? `version ${current} is in force; this would take its place, as nothing is recorded yet`
    : `version ${current} is in force; this would be version ${next}`;
}

const SIGNS: Readonly<Record<Change['kind'], string>> = { added: '+', changed: '~', removed: '-' };
const LONGEST_EFFECT = 1_000;

/** Groups changes of the same kind with the same effect, so that the effect is read once. */
function alike(changes: readonly Change[]): readonly (readonly Change[])[] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const key = `${change.kind} ${change.effect}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [change]);
    else group.push(change);
  }
  return [...groups.values()];
}

const linesOf = (changes: readonly Change[]): string[] => [
  ...changes.map(changeLine),
  ...changes.slice(0, 1).map(({ effect }) => `    ${plainText(effect, LONGEST_EFFECT)}`),
];

function changeLine({ kind, path, before, after }: Change): string {
  const values = kind === 'changed' ? `: ${inWords(before)} → ${inWords(after)}` : '';
  return `${SIGNS[kind]} ${plainText(path)}${values}`;
}

const LONGEST_VALUE = 100;

function inWords(value: unknown): string {
  return value === null || value === undefined ? 'none' : plainText(JSON.stringify(value), LONGEST_VALUE);
}

function summary(changes: readonly Change[]): string {
  const counts = (['added', 'changed', 'removed'] as const)
    .map((kind) => [changes.filter((change) => change.kind === kind).length, kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, kind]) => `${count} ${kind}`);
  return counts.join(', ');
}
