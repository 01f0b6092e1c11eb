import { configurationDocument, type ConfigurationDocument, type ConfigurationPlanAnswer } from '@laurel/schemas';
import { canonical, sameDocument } from '../document/same-document.ts';
import type { Change } from './change.ts';
import { ORDER_OF_ANSWERS } from './compare-lists.ts';
import { planPublication, type Published } from './plan-publication.ts';

/** Why a start does not publish a file by itself. */
export const WHY_HELD_BACK = ['ends streaks', 'removes metrics', 'drops what was published live'] as const;
export type HoldReason = (typeof WHY_HELD_BACK)[number];

/** The decision at a start about the file of LAUREL_CONFIG. */
export type FileDecision =
  /** The version in force stays, even if the file differs. */
  | { readonly type: 'keep' }
  | { readonly type: 'publish' }
  /** The version in force stays until an operator accepts the plan. */
  | { readonly type: 'hold'; readonly plan: ConfigurationPlanAnswer; readonly reasons: readonly HoldReason[] };

/**
 * Compares a file, by content, with the file last published from (specification, section 9.2).
 * @param recordedFile null, or a document that this release cannot read, means unknown. Other changes may have been
 * published live since, so any change is held.
 */
export function decideFile(published: Published, recordedFile: unknown, file: unknown): FileDecision {
  const inForce = published.publications.at(-1);
  const lastFile = documentOrNull(recordedFile);
  if (inForce === undefined) return { type: 'publish' };
  if (sameDocument(inForce.document, file)) return { type: 'keep' };
  if (lastFile !== null && sameDocument(lastFile, file)) return { type: 'keep' };
  const plan = planPublication(published, file);
  const reasons = WHY_HELD_BACK.filter((reason) => TESTS[reason](plan.changes, published, lastFile));
  return reasons.length === 0 ? { type: 'publish' } : { type: 'hold', plan, reasons };
}

function documentOrNull(value: unknown): ConfigurationDocument | null {
  return configurationDocument.safeParse(value).success ? canonical(value) : null;
}

type Test = (changes: readonly Change[], published: Published, lastFile: ConfigurationDocument | null) => boolean;

const STREAKS_AFRESH: ReadonlySet<string> = new Set(['streak.frequency', 'streak.weekStart']);

/** Before the first event, there is no streak to end, and nobody sends any metric. */
const TESTS: Readonly<Record<HoldReason, Test>> = {
  'ends streaks': (changes, { holdsEvents }) =>
    holdsEvents &&
    changes.some(({ kind, path }) => STREAKS_AFRESH.has(path) || (kind === 'removed' && path === 'streak')),
  'removes metrics': (changes, { holdsEvents }) =>
    holdsEvents && changes.some(({ kind, path }) => kind === 'removed' && path.startsWith('metrics.')),
  'drops what was published live': (changes, published, lastFile) => {
    if (lastFile === null) return true;
    const live = publishedLive(published, lastFile);
    return changes.filter(notOfOrder).some((change) => live.some((one) => overlap(change.path, one.path)));
  },
};

/** The changes of the version in force since the file was published. */
function publishedLive({ publications, holdsEvents }: Published, document: ConfigurationDocument): readonly Change[] {
  const [inForce] = publications.slice(-1);
  const before = { version: 1, document, publishedAt: 0 };
  const { changes } = planPublication({ publications: [before], holdsEvents }, inForce?.document);
  return changes.filter(notOfOrder);
}

const notOfOrder = ({ effect }: Change): boolean => effect !== ORDER_OF_ANSWERS;

/** Whether one path equals the other or contains it. */
const overlap = (a: string, b: string): boolean => isWithin(a, b) || isWithin(b, a);

const isWithin = (path: string, whole: string): boolean =>
  path.startsWith(whole) && (path.length === whole.length || /[.[]/.test(path.charAt(whole.length)));
