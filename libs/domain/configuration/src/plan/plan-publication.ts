import type { ConfigurationDocument, ConfigurationPlanAnswer } from '@laurel/schemas';
import { canonical } from '../document/same-document.ts';
import type { Publication } from '../history/publication.ts';
import type { Change } from './change.ts';
import { compareAttributes } from './compare-attributes.ts';
import { compareAchievements } from './compare-achievements.ts';
import { compareLeaderboards } from './compare-leaderboards.ts';
import { compareMetrics } from './compare-metrics.ts';
import { compareOutgoing } from './compare-outgoing.ts';
import { comparePoints } from './compare-points.ts';
import { compareStreak } from './compare-streak.ts';
import { pastOf } from './past.ts';
import type { Past } from './past.ts';
import { planId } from './plan-id.ts';

/** The publications of an account so far. */
export interface Published {
  /** In order, without duplicates. */
  readonly publications: readonly Publication[];
  /** Whether the log has an event. Until then, a publication replaces the one before it (specification, section 9). */
  readonly holdsEvents: boolean;
}

/**
 * The changes that publishing a document would make. The list is empty exactly if the document equals the one in force
 * according to `sameDocument`; `next` is then the version in force. @throws Error if a document is not valid: validate
 * it first
 */
export function planPublication(published: Published, document: unknown): ConfigurationPlanAnswer {
  const steps = planning(published, document);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Like {@link planPublication}, but in chunks with other work in between. */
export async function planPublicationInSteps(
  published: Published,
  document: unknown,
  giveWay: () => Promise<unknown> = turnOfTheLoop,
): Promise<ConfigurationPlanAnswer> {
  for (const steps = planning(published, document); ; await giveWay()) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function* planning(
  { publications, holdsEvents }: Published,
  document: unknown,
): Generator<void, ConfigurationPlanAnswer, void> {
  const inForce = publications.at(-1);
  const next = canonical(document);
  yield;
  const id = planId(inForce, document);
  yield;
  if (inForce === undefined)
    return { id, current: null, next: 1, changes: fromTheBeginning(yield* compare(NOTHING, next, pastOf([]))) };
  const { version: current } = inForce;
  const before = canonical(inForce.document);
  yield;
  const changes = yield* compare(before, next, pastOf(publications.slice(0, -1)));
  if (changes.length === 0) return { id, current, next: current, changes };
  return holdsEvents
    ? { id, current, next: current + 1, changes }
    : { id, current, next: current, changes: fromTheBeginning(changes) };
}

const NOTHING: ConfigurationDocument = { version: 1, metrics: [], achievements: [], points: [], leaderboards: [] };

/** Yields after each part of the document. */
function* compare(
  before: ConfigurationDocument,
  after: ConfigurationDocument,
  past: Past,
): Generator<void, Change[], void> {
  const metrics = compareMetrics(before.metrics, after.metrics, past);
  yield;
  const achievements = compareAchievements(before.achievements, after.achievements, past);
  yield;
  const points = comparePoints(before.points, after.points, past);
  yield;
  const leaderboards = compareLeaderboards(before.leaderboards, after.leaderboards, past);
  yield;
  const streak = compareStreak(before.streak, after.streak);
  const outgoing = compareOutgoing(before.outgoing, after.outgoing);
  const attributes = compareAttributes(before.attributes, after.attributes);
  return [...metrics, ...attributes, ...streak, ...achievements, ...points, ...leaderboards, ...outgoing];
}

/** Before the first event, a change affects nobody. */
function fromTheBeginning(changes: readonly Change[]): Change[] {
  return changes.map((change) => ({ ...change, effect: AT_THE_BEGINNING[change.kind] }));
}

const HOLDS = 'Nothing is recorded yet, so it applies from the beginning, including to imported events of any age.';
const AT_THE_BEGINNING: Readonly<Record<Change['kind'], string>> = {
  added: HOLDS,
  changed: HOLDS,
  removed: 'Nothing is recorded yet, so it is as if it had never been there.',
};
