import type { StreakDocument } from '@laurel/contracts';
import { added, changed, changedFields, removed } from './change.ts';
import type { Change } from './change.ts';
import { compareFreezes, whoHoldsFreezes } from './compare-freezes.ts';
import { compareLists } from './compare-lists.ts';

type Streak = StreakDocument | undefined;

export function compareStreak(before: Streak, after: Streak): Change[] {
  if (before === undefined) return after === undefined ? [] : [added('streak', after, whenAdded(after))];
  if (after === undefined) return [removed('streak', before, whenRemoved(before))];
  const afresh = before.frequency !== after.frequency || before.weekStart !== after.weekStart;
  return [
    ...changedFields<StreakDocument, 'conditions' | 'freezes'>('streak', before, after, {
      frequency: AFRESH,
      weekStart: `${AFRESH} ${weeksBeginOn(after)}`,
      mode: afresh ? FROM_THE_START : modeEffect(after),
    }),
    ...compareConditions(before, after, afresh),
    ...compareFreezes(before.freezes, after.freezes),
  ];
}

const AFRESH = "Everyone's streak and its history start afresh: lengths and progress so far count no more.";
const FROM_THE_START = 'It holds for the streaks that start afresh.';
const STAYS_MET = 'A period that was met stays met.';
const WITH_THE_NEXT_EVENT = 'who meets the conditions that way already extends their streak with their next event.';

function whenAdded(streak: StreakDocument): string {
  return [
    'Streaks are kept from the publication on; everyone begins at 0.',
    streak.freezes && whoHoldsFreezes(streak.freezes),
    streak.weekStart === 'monday' ? undefined : weeksBeginOn(streak),
  ]
    .filter((sentence) => sentence !== undefined)
    .join(' ');
}

function whenRemoved({ weekStart }: StreakDocument): string {
  const weeks = weekStart === 'monday' ? '' : ` ${weeksBeginOn({ weekStart: 'monday' })}`;
  return `No streaks are kept: every streak reads 0, and boards ranked by streak become empty. If streaks come back, everyone begins at 0. What was given for them stays.${weeks}`;
}

/** Weekly summaries follow the streak's weeks, and begin on Monday without one (specification, section 6). */
function weeksBeginOn({ weekStart }: Pick<StreakDocument, 'weekStart'>): string {
  return `Weekly summaries begin on ${weekStart === 'monday' ? 'Monday' : 'Sunday'}.`;
}

function modeEffect({ mode }: StreakDocument): string {
  switch (mode) {
    case 'all':
      return `From then on every condition must be met. Progress in the current period is kept. ${STAYS_MET}`;
    case 'any':
      return `From then on one condition is enough. Progress in the current period is kept: ${WITH_THE_NEXT_EVENT}`;
  }
}

function compareConditions(before: StreakDocument, after: StreakDocument, afresh: boolean): Change[] {
  const pathOf = (metric: string) => `streak.conditions.${metric}`;
  const effect = (otherwise: string) => (afresh ? FROM_THE_START : otherwise);
  return compareLists(before.conditions, after.conditions, {
    identityOf: ({ metric }) => metric,
    onAdded: (condition) => [added(pathOf(condition.metric), condition, effect(conditionAdded(after)))],
    onRemoved: (condition) => [removed(pathOf(condition.metric), condition, effect(conditionRemoved(after)))],
    onKept: ({ threshold: was }, { metric, threshold: is }) =>
      was === is ? [] : [changed(`${pathOf(metric)}.threshold`, was, is, effect(thresholdEffect(was, is)))],
  });
}

function conditionAdded({ mode }: StreakDocument): string {
  const asked = mode === 'all' ? 'It must be met as well from then on.' : 'It alone meets a period from then on.';
  return `${asked} In the current period it counts events recorded after the publication. ${STAYS_MET}`;
}

function conditionRemoved({ mode }: StreakDocument): string {
  return mode === 'all'
    ? `It is not asked for any more: ${WITH_THE_NEXT_EVENT}`
    : `It does not meet a period any more. ${STAYS_MET}`;
}

function thresholdEffect(was: number, is: number): string {
  const holds = 'It holds from then on, with the progress in the current period';
  return is < was ? `${holds}: ${WITH_THE_NEXT_EVENT}` : `${holds}. ${STAYS_MET}`;
}
