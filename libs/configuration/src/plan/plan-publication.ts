import type { ConfigurationDocument, ConfigurationPlanAnswer } from '@laurel/contracts';
import { canonical } from '../document/same-document.ts';
import type { Publication } from '../history/publication.ts';
import type { Change } from './change.ts';
import { compareAchievements } from './compare-achievements.ts';
import { compareLeaderboards } from './compare-leaderboards.ts';
import { compareMetrics } from './compare-metrics.ts';
import { comparePoints } from './compare-points.ts';
import { compareStreak } from './compare-streak.ts';
import { pastOf } from './past.ts';
import type { Past } from './past.ts';

/** What was published for an account so far. */
export interface Published {
  /** In order, each version once. */
  readonly publications: readonly Publication[];
  /** Whether the log holds an event: until then a publication replaces the one before it (specification, section 9). */
  readonly holdsEvents: boolean;
}

/**
 * What publishing a document would change, item by item. No change exactly if the document says the same as the one in force,
 * as `sameDocument` tells it; `next` is then the version in force. @throws Error if a document is none: check it before.
 */
export function planPublication({ publications, holdsEvents }: Published, document: unknown): ConfigurationPlanAnswer {
  const inForce = publications.at(-1);
  const next = canonical(document);
  if (inForce === undefined)
    return { current: null, next: 1, changes: fromTheBeginning(compare(NOTHING, next, pastOf([]))) };
  const { version: current } = inForce;
  const changes = compare(canonical(inForce.document), next, pastOf(publications.slice(0, -1)));
  if (changes.length === 0) return { current, next: current, changes };
  return holdsEvents
    ? { current, next: current + 1, changes }
    : { current, next: current, changes: fromTheBeginning(changes) };
}

const NOTHING: ConfigurationDocument = { version: 1, metrics: [], achievements: [], points: [], leaderboards: [] };

function compare(before: ConfigurationDocument, after: ConfigurationDocument, past: Past): Change[] {
  return [
    ...compareMetrics(before.metrics, after.metrics, past),
    ...compareStreak(before.streak, after.streak),
    ...compareAchievements(before.achievements, after.achievements, past),
    ...comparePoints(before.points, after.points, past),
    ...compareLeaderboards(before.leaderboards, after.leaderboards, past),
  ];
}

/** While nothing is recorded nobody has anything that a change could touch. */
function fromTheBeginning(changes: readonly Change[]): Change[] {
  return changes.map((change) => ({ ...change, effect: AT_THE_BEGINNING[change.kind] }));
}

const HOLDS = 'Nothing is recorded yet: it holds from the beginning, for imported events of any age too.';
const AT_THE_BEGINNING: Readonly<Record<Change['kind'], string>> = {
  added: HOLDS,
  changed: HOLDS,
  removed: 'Nothing is recorded yet: it is as if it had never been there.',
};
