import type { ConfigurationDocument, PointsTriggerDocument } from '@laurel/schemas';
import { canonical } from '../document/same-document.ts';
import type { Publication } from '../history/publication.ts';
import { triggerIdentity } from '../document/trigger-content.ts';

/** The versions before the one in force: a returning entry continues where it was. */
export interface Past {
  /** The number of the newest version that had the entry; null if none had. */
  versionWith(list: 'metrics' | 'achievements' | 'points' | 'leaderboards', key: string): number | null;
  versionWithTrigger(system: string, trigger: PointsTriggerDocument): number | null;
}

/** @param publications in order; not read before the first question */
export function pastOf(publications: readonly Publication[]): Past {
  let known: ReadonlyMap<string, number> | null = null;
  const versionOf = (...names: readonly string[]) => {
    known ??= versionsByEntry(publications);
    return known.get(JSON.stringify(names)) ?? null;
  };
  return {
    versionWith: versionOf,
    versionWithTrigger: (system, trigger) => versionOf('points', system, ...triggerIdentity(trigger)),
  };
}

function versionsByEntry(publications: readonly Publication[]): ReadonlyMap<string, number> {
  return new Map(
    publications.flatMap(({ version, document }) =>
      namesIn(canonical(document)).map((names) => [JSON.stringify(names), version] as const),
    ),
  );
}

function namesIn({ metrics, achievements, points, leaderboards }: ConfigurationDocument): (readonly string[])[] {
  return [
    ...metrics.map(({ key }) => ['metrics', key]),
    ...achievements.map(({ key }) => ['achievements', key]),
    ...points.flatMap(({ key, triggers }) => [
      ['points', key],
      ...triggers.map((trigger) => ['points', key, ...triggerIdentity(trigger)]),
    ]),
    ...leaderboards.map(({ key }) => ['leaderboards', key]),
  ];
}
