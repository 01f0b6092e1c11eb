import type { Instant } from '@laurel/calendar';
import { EffectList, type BoardsArea, type RunDifference } from '@laurel/kernel';
import { MOST_CORRECTED_FINAL_RUNS } from '@laurel/ports';
import type { CorrectedUser } from '../folding/corrected-fold.ts';
import { CorrectionRefusedError } from '../folding/correction-refused-error.ts';
import type { UserRef } from '../folding/document.ts';
import type { Batch } from './batch.ts';
import { inTurn } from './boards-turns.ts';
import type { Chain } from './chain.ts';

type RunDifferences = Pick<BoardsArea, 'runDifferences'>;

/**
 * The runs that a correction changes, final runs that it would change, and runs that earlier corrections left to it.
 */
export function correctedRuns(boards: RunDifferences, corrected: CorrectedUser, at: Instant): readonly RunDifference[] {
  const { before, after, uncorrected } = corrected;
  const changed = boards.runDifferences(before, after, at);
  if (uncorrected === null) return changed;
  const named = new Set(changed.map(nameOfRun));
  const left = boards.runDifferences(uncorrected, after, at);
  return [...changed, ...left.filter((run) => run.isFinal && !named.has(nameOfRun(run)))];
}

const nameOfRun = ({ board, runStart }: RunDifference): string => JSON.stringify([board, runStart]);

/** @throws CorrectionRefusedError if the correction would change more final runs than a batch should hold */
export function assertFewRuns(boards: RunDifferences, corrected: CorrectedUser, changesFinalRuns: boolean): void {
  if (!changesFinalRuns) return;
  const runs = correctedRuns(boards, corrected, corrected.occasion.occurredAt);
  const changed = runs.filter(({ isFinal }) => isFinal).length;
  if (changed > MOST_CORRECTED_FINAL_RUNS)
    throw new CorrectionRefusedError('too_many_runs', `${changed} final runs would change`);
}

/**
 * Replaces the user's document and rows with the corrected ones.
 * @throws errors of the boards: they could not catch up with a correction later
 */
export function correctInBatch(
  batch: Batch,
  { boards, tables }: Pick<Chain, 'boards' | 'tables'>,
  corrected: CorrectedUser,
  changesFinalRuns: boolean,
): void {
  const { occasion, configuration, document, effects, rows, before, after } = corrected;
  for (const { removed } of rows) batch.removeRows(tables, removed);
  for (const { added } of rows) batch.addRows(added);
  const user: UserRef = { account: occasion.account, subject: occasion.subject };
  batch.setDocument(user, document, configuration);
  const correction = { occasion, before, after, changesFinalRuns };
  const emitter = new EffectList(occasion, configuration, null, effects);
  let from: number | null = 0;
  inTurn(batch, () => {
    while (from !== null && !batch.failures.has(boards.name)) {
      const made = batch.boards.correct(correction, configuration, emitter, from);
      if ('missing' in made) return made;
      batch.addRows(made.rows);
      from = made.next;
    }
    return null;
  });
}
